export type { DuplexConnect, DuplexConnection, DuplexTransport } from './wire/duplex-transport.ts'
export { stdioTransport } from './wire/stdio-transport.ts'
export type { StdioTransportOptions } from './wire/stdio-transport.ts'
