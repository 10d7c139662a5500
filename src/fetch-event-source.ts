export { fetchEventSourceTransport } from './wire/fetch-event-source-transport.ts'
export type { FetchEventSource, FetchEventSourceTransportOptions } from './wire/fetch-event-source-transport.ts'
