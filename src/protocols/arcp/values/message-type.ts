/** Names of extensions (RFC section 21.1): `arcpx.<vendor>.<name>.v<n>`, or a reverse domain with a version. Bare `x-` is none. */
const EXTENSION = /^(?!x-)(arcpx\.[\w-]+|[a-z][\w-]*(\.[\w-]+)+)\.[\w.-]+$/i

/** The first words of the core types: what begins so and is not known is no extension. */
const CORE = new Set(
  'session ping pong ack nack cancel interrupt resume backpressure checkpoint tool job workflow agent stream human permission lease subscribe unsubscribe artifact event log metric trace'.split(
    ' ',
  ),
)

/** Whether a type or a key is that of an extension. */
export function isExtensionName(name: string): boolean {
  return EXTENSION.test(name) && !CORE.has(name.split('.', 1)[0] ?? '')
}
