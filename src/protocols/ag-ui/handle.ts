import {
  isAnything,
  isBoolean,
  isCount,
  isOptional,
  isRecord,
  isRecordOf,
  isString,
  isListOf,
  oneOf,
  shape,
  variant,
} from '../../base/guards.ts'
import type { Usage } from '../../seam/usage.ts'
import { isUsage } from '../../seam/usage.ts'
import type { OrderState } from './run-order.ts'
import { isOrderState } from './run-order.ts'
import type { AgUiInterrupt, AgUiOutcome } from './outcome.ts'
import type { AgUiMessage } from './messages.ts'

/** What the adapter remembers of a run: plain data, stored with it and with its answer. No credentials. */
export interface AgUiHandle {
  readonly threadId: string
  readonly runId: string
  /** The messages that the run has added to the thread, as the next run sends them back. */
  readonly messages: readonly AgUiMessage[]
  /** The run has changed messages before its own: `messages` is the whole thread. @default false */
  readonly isWhole?: boolean | undefined
  /** State that the agent shares, once there is any. */
  readonly state?: unknown
  /** Id of the edit of the user that the run has taken along. */
  readonly stateEdit?: string | undefined
  /** Questions that the run has ended with. */
  readonly interrupts?: readonly AgUiInterrupt[] | undefined
  /** Ids of the first and the last frame. Absent: the server numbers none. */
  readonly firstId?: string | undefined
  readonly lastId?: string | undefined
  /** How far reading has come. Absent: the run has ended. */
  readonly reading?: ReadingState | undefined
}

/** What is remembered of steps and subagents. */
export interface WorkState {
  /** Id of the part of each step that runs. */
  readonly steps: Readonly<Record<string, unknown>>
  /** Subagents, by id. */
  readonly tasks: Readonly<Record<string, unknown>>
}

/** What the chunks of one agent are part of. */
export interface Lane {
  readonly kind: 'TEXT_MESSAGE' | 'TOOL_CALL' | 'REASONING_MESSAGE'
  readonly id: string
  /** The values of its first chunk: later chunks may repeat but not contradict them. */
  readonly opener?: Readonly<Record<string, string>> | undefined
}

/** By the id of the subagent; empty for the agent itself. */
export type Lanes = Readonly<Record<string, Lane>>

/** How far the reading of a run has come, between two connections. */
export interface ReadingState {
  /** Frames read so far. */
  readonly seen: number
  readonly order: OrderState
  readonly lanes: Lanes
  /** Calls that the run has made. */
  readonly calls: readonly string[]
  readonly work?: WorkState | undefined
  /** Questions that came as their own events. */
  readonly asked: readonly AgUiInterrupt[]
  /** Ids that were made here so far. */
  readonly minted: number
  /** The initial state of the run, until another one is sent. */
  readonly sent?: unknown
  /** How the run has ended, as far as it has. */
  readonly end?: RunTerminal | undefined
}

/** The last event that ended the run; more may follow it. */
export type RunTerminal =
  | {
      readonly type: 'finished'
      readonly outcome: AgUiOutcome
      readonly result?: unknown
      readonly usage?: Usage | undefined
    }
  | { readonly type: 'failed'; readonly message: string; readonly code?: string | undefined }

const isLane = shape<Lane>({
  kind: oneOf('TEXT_MESSAGE', 'TOOL_CALL', 'REASONING_MESSAGE'),
  id: isString,
  opener: isOptional(isRecordOf(isString)),
})
const isAgUiMessage = (value: unknown): value is AgUiMessage =>
  isRecord(value) && isString(value['id']) && isString(value['role'])
const isText = isOptional(isString)
const isInterrupt = shape<AgUiInterrupt>({
  id: isString,
  reason: isString,
  message: isText,
  toolCallId: isText,
  responseSchema: isOptional(isRecord),
  expiresAt: isText,
  metadata: isAnything,
  subagentRunId: isText,
  via: oneOf('resume', 'command', undefined),
})
const isOutcome = variant<AgUiOutcome, 'type'>('type', {
  success: isRecord,
  interrupt: shape({ interrupts: isListOf(isInterrupt) }),
  cancelled: isRecord,
})
const isTerminal = variant<RunTerminal, 'type'>('type', {
  finished: shape({ outcome: isOutcome, result: isAnything, usage: isOptional(isUsage) }),
  failed: shape({ message: isString, code: isText }),
})
const isReading = shape<ReadingState>({
  seen: isCount,
  order: isOrderState,
  lanes: isRecordOf(isLane),
  calls: isListOf(isString),
  work: isOptional(shape<WorkState>({ steps: isRecord, tasks: isRecord })),
  asked: isListOf(isInterrupt),
  minted: isCount,
  sent: isAnything,
  end: isOptional(isTerminal),
})
const isHandle = shape<AgUiHandle>({
  threadId: isString,
  runId: isString,
  messages: isListOf(isAgUiMessage),
  isWhole: isOptional(isBoolean),
  state: isAnything,
  stateEdit: isText,
  interrupts: isOptional(isListOf(isInterrupt)),
  firstId: isText,
  lastId: isText,
  reading: isOptional(isReading),
})

/** The handle as it was stored. Undefined: there was none, or it is none of this protocol. */
export function readHandle(handle: unknown): AgUiHandle | undefined {
  return isHandle(handle) ? handle : undefined
}
