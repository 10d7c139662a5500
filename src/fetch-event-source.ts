export { fetchEventSourceTransport } from './wire/fetch-event-source-transport.ts'
