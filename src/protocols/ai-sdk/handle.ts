import { isCount, isListOf, isOptional, isRecord, isRecordOf, isString, oneOf, shape } from '../../base/guards.ts'
import type { UiMessage, UiPart } from './messages.ts'

/** What the adapter remembers of a run: plain data, stored with it and with its answer. No credentials. */
export interface AiSdkHandle {
  /** The id of the chat, for requests to stop and to resume. */
  readonly chatId: string
  /** The answer so far, as the next request sends it back: with ids and metadata that the page does not show. */
  readonly message: UiMessage
  /** Chunks read so far. Absent: not known, because another page has stored the message. */
  readonly seen?: number | undefined
  /** Index in the message of the first part of this run: those before are of the answer that it continues. */
  readonly from?: number | undefined
  /** Type of the first chunk, and the id of its frame: what a replay begins with. */
  readonly first?: string | undefined
  readonly firstId?: string | undefined
  /** Id of the last frame. Absent: the server numbers none. */
  readonly lastId?: string | undefined
  /** Index of each part that is open, by kind and id. */
  readonly open?: Readonly<Record<string, number>> | undefined
  /** Id of the edit of the shared state that the run has taken along. Absent: none. */
  readonly stateEdit?: string | undefined
}

const isPart = (value: unknown): value is UiPart => isRecord(value) && isString(value.type)
const isMessage = shape<UiMessage>({
  id: isString,
  role: oneOf('system', 'user', 'assistant'),
  metadata: (_value): _value is unknown => true,
  parts: isListOf(isPart),
})
const isHandle = shape<AiSdkHandle>({
  chatId: isString,
  message: isMessage,
  seen: isOptional(isCount),
  from: isOptional(isCount),
  first: isOptional(isString),
  firstId: isOptional(isString),
  lastId: isOptional(isString),
  open: isOptional(isRecordOf(isCount)),
  stateEdit: isOptional(isString),
})

/** The handle as it was stored. Undefined: there was none, or it is none of this protocol. */
export function readHandle(handle: unknown): AiSdkHandle | undefined {
  return isHandle(handle) ? handle : undefined
}
