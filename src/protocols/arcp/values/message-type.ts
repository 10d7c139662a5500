const ULID = /(?:^|_)[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * Whether a message comes after another one by their ids. Only ULIDs have an order: with other ids, and where there is no other, every
 * message is taken to be later.
 */
export function isLater(id: string, than: string | undefined): boolean {
  return than === undefined || !ULID.test(id) || !ULID.test(than) || id > than
}

/**
 * Types that a client sends as well as the runtime. Its own messages come back in replays, with ids that its clock made: they are no
 * places in what the runtime said.
 */
export const SENT_TOO: ReadonlySet<string> = new Set([
  'echo',
  'extension',
  'ping',
  'pong',
  'human.input.response',
  'human.choice.response',
  'human.input.cancelled',
  'artifact.put',
])

/** Who answers, in the answers that a client sends. */
export const OWN_NAME = 'user'

/** Names of extensions (RFC section 21.1): `arcpx.<vendor>.<name>.v<n>`, or a reverse domain with a version. Bare `x-` is none. */
const EXTENSION = /^(?!x-)(arcpx\.[\w-]+|[a-z][\w-]*(\.[\w-]+)+)\.[\w.-]+$/i

/** The first words of the core types: what begins so and is not known is not an extension. */
const CORE = new Set(
  'session ping pong ack nack cancel interrupt resume backpressure checkpoint tool job workflow agent stream human permission lease subscribe unsubscribe artifact event log metric trace'.split(
    ' ',
  ),
)

/** Whether a type or a key is that of an extension. */
export function isExtensionName(name: string): boolean {
  return EXTENSION.test(name) && !CORE.has(name.split('.', 1)[0] ?? '')
}
