import { isOptional, isRecord, isString, oneOf, shape } from '../../base/guards.ts'
import type { Deviation } from './read/read-fault.ts'
import { ReadFault } from './read/read-fault.ts'
import type { AgUiEvent } from './schema/event.ts'

/** What is remembered of the order of a run: plain data. */
export interface OrderState {
  /** `before`: no event of the run has said that it began. Only `finished` and `failed` end it, and more may follow them. */
  readonly phase: 'before' | 'active' | 'finished' | 'failed'
  readonly threadId?: string | undefined
  readonly runId?: string | undefined
  /** What has begun and not ended, by kind and id, and the subagent it is of. Empty: the agent itself. */
  readonly open: Readonly<Record<string, string>>
}

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) && Object.values(value).every(isString)
export const isOrderState = shape<OrderState>({
  phase: oneOf('before', 'active', 'finished', 'failed'),
  threadId: isOptional(isString),
  runId: isOptional(isString),
  open: isTexts,
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
   * @throws ReadFault
   */
  admit(event: AgUiEvent, knowsCall: (id: string) => boolean): boolean
}

export type ItemKind = 'text' | 'call' | 'reasoning' | 'span' | 'step' | 'subagent'

/** Events that take back the end of a run: its tool loop goes on. */
const SPEECH = /^(?:TEXT_|TOOL_|REASONING_|SUBAGENT_|STEP_)/

export function createRunOrder(before: OrderState, deviate: Deviation): RunOrder {
  let { phase, threadId, runId } = before
  const open = new Map(Object.entries(before.open))

  function begin(kind: ItemKind, id: string, { type, subagentRunId = '' }: AgUiEvent): boolean {
    if (open.has(`${kind} ${id}`)) {
      deviate(`${type} for ${id}, which has begun before`)
      return false
    }
    open.set(`${kind} ${id}`, subagentRunId)
    return true
  }

  /** Whether it has begun. */
  function goesOn(kind: ItemKind, id: string, { type, subagentRunId }: AgUiEvent): boolean {
    const agent = open.get(`${kind} ${id}`)
    if (agent === undefined) {
      deviate(`${type} for ${id}, which has not begun`)
      return false
    }
    if (subagentRunId !== undefined && subagentRunId !== agent)
      throw new ReadFault(`${type} for ${id} is of another agent than its beginning`)
    return true
  }

  function end(kind: ItemKind, id: string, event: AgUiEvent): boolean {
    return goesOn(kind, id, event) && open.delete(`${kind} ${id}`)
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
        if (phase === 'active') throw new ReadFault('a run begins while one is active')
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
      switch (type) {
        case 'RUN_FINISHED':
          return admitFinish(event)
        case 'TEXT_MESSAGE_START':
          return begin('text', event.messageId, event)
        case 'TEXT_MESSAGE_CONTENT':
          // Without a beginning it goes on in the message of that id, or begins it.
          goesOn('text', event.messageId, event)
          return true
        case 'TEXT_MESSAGE_END':
          return end('text', event.messageId, event)
        case 'TOOL_CALL_START':
          return begin('call', event.toolCallId, event)
        case 'TOOL_CALL_ARGS':
          if (!goesOn('call', event.toolCallId, event) && !knowsCall(event.toolCallId))
            throw new ReadFault('arguments come for a call that has not begun')
          return true
        case 'TOOL_CALL_END':
          return end('call', event.toolCallId, event)
        case 'REASONING_START':
          return begin('span', event.messageId, event)
        case 'REASONING_END':
          return end('span', event.messageId, event)
        case 'REASONING_MESSAGE_START':
          if ((event.role ?? 'reasoning') !== 'reasoning') deviate('reasoning has another role')
          return begin('reasoning', event.messageId, event)
        case 'REASONING_MESSAGE_CONTENT':
          return goesOn('reasoning', event.messageId, event)
        case 'REASONING_MESSAGE_END':
          return end('reasoning', event.messageId, event)
        case 'STEP_STARTED':
          return begin('step', stepOf(event), event)
        case 'STEP_FINISHED':
          return end('step', stepOf(event), event)
        case 'SUBAGENT_STARTED':
          return begin('subagent', event.subagentRunId, { ...event, subagentRunId: event.subagentRunId })
        case 'SUBAGENT_FINISHED':
        case 'SUBAGENT_ERROR':
          return end('subagent', event.subagentRunId, event)
        default:
          return true
      }
    },
  }
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
  const id = key.slice(at + 1)
  const common = agent === '' ? {} : { subagentRunId: agent }
  // The keys are those of this file.
  switch (key.slice(0, at) as ItemKind) {
    case 'text':
      return { ...common, type: 'TEXT_MESSAGE_END', messageId: id }
    case 'call':
      return { ...common, type: 'TOOL_CALL_END', toolCallId: id }
    case 'reasoning':
      return { ...common, type: 'REASONING_MESSAGE_END', messageId: id }
    case 'span':
      return { ...common, type: 'REASONING_END', messageId: id }
    case 'step': {
      // Made by stepOf.
      const [, stepName] = JSON.parse(id) as [string, string]
      return { ...common, type: 'STEP_FINISHED', stepName }
    }
    case 'subagent':
      return { type: 'SUBAGENT_FINISHED', subagentRunId: id }
  }
}
