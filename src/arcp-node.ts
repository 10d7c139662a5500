export type { DuplexConnect, DuplexConnection, DuplexTransport } from './wire/duplex-transport.ts'
export {
  stdioConnection,
  type StdioConnectionOptions,
  stdioTransport,
  type StdioTransportOptions,
} from './wire/stdio-transport.ts'
