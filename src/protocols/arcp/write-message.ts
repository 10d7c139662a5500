import { stringifyWellFormed } from '../../base/bounded-json.ts'
import type { ArcpEnvelope } from './schema/envelope.ts'
import type { ArcpPayload, ArcpType } from './schema/payloads.ts'

type Members = Partial<Omit<ArcpEnvelope, 'arcp' | 'type' | 'timestamp' | 'payload'>>

/** A message on its way out. */
export interface ArcpOutgoing extends Members {
  readonly arcp: string
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly payload: object
}

/** Makes messages: each has a new id, unless it is given one. */
export interface MessageWriter {
  /** A new id, `msg_` and a monotonic ULID. */
  id(): string
  /** A message of the core, in the shape of the RFC. */
  write<Type extends ArcpType>(type: Type, payload: ArcpPayload<Type>, members?: Members): ArcpOutgoing
  /** A message of an extension. */
  extension(type: string, payload: object, members?: Members): ArcpOutgoing
}

export function createMessageWriter(source: IdSource): MessageWriter {
  const ulid = createUlids(source)
  const id = (): string => `msg_${ulid()}`
  const write = (type: string, payload: object, members: Members = {}): ArcpOutgoing => ({
    arcp: '1.0',
    type,
    timestamp: new Date(source.date()).toISOString(),
    ...members,
    id: members.id ?? id(),
    payload,
  })
  return { id, write, extension: write }
}

/** A message as a text frame. */
export function frameOf(message: ArcpOutgoing): string {
  return stringifyWellFormed(message)
}

/** The letters of Crockford's base 32, in order. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const TIME_LENGTH = 10

const RANDOM_LENGTH = 16

/** What ids are made of. */
interface IdSource {
  /** Milliseconds since 1970. */
  date(): number
  /** A new random UUID. */
  uuid(): string
}

/**
 * Monotonic ULIDs: ids that sort by the time they were made at, and in the order they were made in also within one millisecond and
 * when the clock is set back. Event logs of runtimes sort by them.
 */
export function createUlids({ date, uuid }: IdSource): () => string {
  let time = -1
  let random = ''
  return () => {
    const now = date()
    if (now > time) {
      time = now
      random = randomOf(uuid())
    } else {
      random = successor(random)
      // All letters were the last one: the next millisecond begins.
      if (/^0+$/.test(random)) time += 1
    }
    return timeText(time) + random
  }
}

function timeText(time: number): string {
  let rest = time
  let text = ''
  for (let at = 0; at < TIME_LENGTH; at++) {
    text = (LETTERS[rest % 32] ?? '0') + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Each letter from two digits of the UUID: all that is random in it. */
function randomOf(uuid: string): string {
  const digits = uuid.replaceAll('-', '')
  let text = ''
  for (let at = 0; at < RANDOM_LENGTH; at++)
    text += LETTERS[Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16) % 32] ?? '0'
  return text
}

/** The text that follows in order; the first one after the last. */
function successor(text: string): string {
  const last = LETTERS.indexOf(text.at(-1) ?? '')
  const rest = text.slice(0, -1)
  if (last < LETTERS.length - 1) return rest + (LETTERS[last + 1] ?? '0')
  return rest === '' ? '0' : `${successor(rest)}0`
}
