import { isOptional, isRecordOf, isString, oneOf, shape } from '../../base/guards.ts'
import type { Deviation } from './events.ts'
import { ValidationError } from '../../base/format/validation-error.ts'
import type { AgUiEvent } from './events.ts'

/** What is remembered of the order of a run: plain data. */
export interface OrderState {
  /** `before`: no event has started the run. Only `finished` and `failed` end it, and more may follow them. */
  readonly phase: 'before' | 'active' | 'finished' | 'failed'
  readonly threadId?: string | undefined
  readonly runId?: string | undefined
  /** What has begun and not ended, by kind and id, and the subagent it is of. Empty: the agent itself. */
  readonly open: Readonly<Record<string, string>>
}

export const isOrderState = shape<OrderState>({
  phase: oneOf('before', 'active', 'finished', 'failed'),
  threadId: isOptional(isString),
  runId: isOptional(isString),
  open: isRecordOf(isString),
})

/** Whether an event comes where it may (AG-UI 1.0, order of events). What servers are known to do otherwise is tolerated. */
export interface RunOrder {
  readonly state: OrderState
  readonly phase: OrderState['phase']
  isOpen(kind: ItemKind, id: string): boolean
  /** The ends of what the event leaves open that must not be. */
  endsBefore(event: AgUiEvent): readonly AgUiEvent[]
  /**
   * Records the event. False: it is left out.
   *
   * @param knowsCall whether there is a call with that id
   * @throws ValidationError
   */
  admit(event: AgUiEvent, knowsCall: (id: string) => boolean): boolean
}

export type ItemKind = 'TEXT_MESSAGE' | 'TOOL_CALL' | 'REASONING_MESSAGE' | 'REASONING' | 'STEP' | 'SUBAGENT'

/** What begins, continues and ends. */
const ITEM =
  /^(TEXT_MESSAGE|TOOL_CALL|REASONING_MESSAGE|REASONING|STEP|SUBAGENT)_(START|CONTENT|ARGS|END|FINISHED|ERROR)/
/** Events that take back the end of a run: its tool loop continues. */
const SPEECH = /^(?:TEXT|TOOL|REASONING|SUBAGENT|STEP)_/

export function createRunOrder(before: OrderState, deviate: Deviation): RunOrder {
  let { phase, threadId, runId } = before
  const open = new Map(Object.entries(before.open))

  /** Whether an item may begin, continue or end here. */
  function admitItem(kind: string, step: string, event: AgUiEvent, knowsCall: (id: string) => boolean): boolean {
    const { type, subagentRunId } = event
    const id = idOf(event)
    const key = `${kind} ${id}`
    const agent = open.get(key)
    if (step === 'START') {
      if (agent === undefined) return open.set(key, subagentRunId ?? '').size > 0
      deviate(`${type} for ${id}, which has begun before`)
      return false
    }
    if (agent === undefined) {
      // Text continues in the message of its id, or begins it; arguments need a call.
      const isText = type === 'TEXT_MESSAGE_CONTENT'
      if (step === 'ARGS' && !knowsCall(id)) throw new ValidationError('arguments come for a call that has not begun')
      deviate(`${type} for ${id}, which has not begun`)
      return isText || step === 'ARGS'
    }
    if (subagentRunId !== undefined && subagentRunId !== agent)
      throw new ValidationError(`${type} for ${id} is of another agent than its beginning`)
    if (step !== 'CONTENT' && step !== 'ARGS') open.delete(key)
    return true
  }

  function enter(next: OrderState['phase']): true {
    phase = next
    open.clear()
    return true
  }

  function admitFinish(event: Extract<AgUiEvent, { readonly type: 'RUN_FINISHED' }>): true {
    const isOther = (own: string | undefined, given: string | undefined): boolean =>
      own !== undefined && given !== undefined && own !== given
    if (isOther(threadId, event.threadId) || isOther(runId, event.runId)) deviate('RUN_FINISHED names another run')
    return enter('finished')
  }

  return {
    get state() {
      return { phase, threadId, runId, open: Object.fromEntries(open) }
    },
    get phase() {
      return phase
    },
    isOpen: (kind, id) => open.has(`${kind} ${id}`),
    endsBefore({ type }) {
      if (type !== 'RUN_FINISHED' || open.size === 0) return []
      deviate('RUN_FINISHED leaves something open')
      return [...open].map(([key, agent]) => endOf(key, agent))
    },
    admit(event, knowsCall) {
      const { type } = event
      if (type === 'UNKNOWN') return false
      if (type === 'RUN_STARTED') {
        if (phase === 'active') throw new ValidationError('a run begins while one is active')
        ;({ threadId, runId } = event)
        phase = 'active'
        return true
      }
      if (phase === 'failed') {
        deviate(`${type} after RUN_ERROR`)
        return false
      }
      if (type === 'RUN_ERROR') return enter('failed')
      if (phase === 'before') deviate(`${type} before RUN_STARTED`)
      if (phase === 'finished') {
        deviate(`${type} after RUN_FINISHED`)
        if (SPEECH.test(type)) phase = 'active'
      }
      if (type === 'RUN_FINISHED') return admitFinish(event)
      if (type === 'REASONING_MESSAGE_START' && (event.role ?? 'reasoning') !== 'reasoning')
        deviate('reasoning has another role')
      const [, kind, step] = ITEM.exec(type) ?? []
      return kind === undefined || step === undefined || admitItem(kind, step, event, knowsCall)
    },
  }
}

/** What an event of an item is about: all that have a beginning have one of these. */
function idOf(event: AgUiEvent): string {
  if ('stepName' in event) return stepOf(event)
  if ('toolCallId' in event) return event.toolCallId ?? ''
  return ('messageId' in event ? event.messageId : event.subagentRunId) ?? ''
}

/** A step is known by its name and whose it is. */
export function stepOf({
  stepName,
  subagentRunId = '',
}: {
  readonly stepName: string
  readonly subagentRunId?: string | undefined
}): string {
  return JSON.stringify([subagentRunId, stepName])
}

function endOf(key: string, agent: string): AgUiEvent {
  const at = key.indexOf(' ')
  const [kind, id] = [key.slice(0, at), key.slice(at + 1)]
  const end = kind === 'STEP' || kind === 'SUBAGENT' ? 'FINISHED' : 'END'
  const ids = kind === 'STEP' ? { stepName: (JSON.parse(id) as string[])[1] } : { messageId: id, toolCallId: id }
  // The keys are made of events that had these members; which of them the type has, it reads.
  return { type: `${kind}_${end}`, ...ids, ...(agent !== '' && { subagentRunId: agent }) } as AgUiEvent
}
