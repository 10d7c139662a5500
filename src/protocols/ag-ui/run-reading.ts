import { isJsonObject } from '../../base/json-object.ts'
import type { AgentEvent, AgentPart } from '../../seam/agent-event.ts'
import type { Delivery } from '../../seam/protocol.ts'
import type { AskQuestions } from './ask-questions.ts'
import type { ChunkLanes } from './chunk-lanes.ts'
import { createAgUiError, LEFT_OUT } from './errors.ts'
import type { AgUiHandle, RunTerminal } from './handle.ts'
import type { PageTool } from './interrupt-prompt.ts'
import { readEvent } from './events.ts'
import type { RareEvents } from './rare-events.ts'
import type { Deviation } from './events.ts'
import type { RawOutcome } from './outcome.ts'
import type { AgUiRequest } from './request.ts'
import { createRunOrder } from './run-order.ts'
import type { AgUiEvent } from './events.ts'
import type { AgUiInterrupt, AgUiOutcome } from './outcome.ts'
import { createThread } from './thread.ts'
import { createThreadWriter } from './thread-writer.ts'
import type { WorkLog } from './work-log.ts'

/** How a body ended: in order, by waiting for its end in vain, or broken. */
export type BodyEnd = 'eof' | 'grace' | 'broken'

/** Shows an event `CUSTOM` of the server. Undefined: it is not shown. */
export type CustomPart = (value: unknown) => AgentPart | undefined

/** The events of a run in neutral ones, and how it ends. The ordinal of a frame is its number. */
export interface RunReading {
  readonly handle: AgUiHandle
  /** The server has reported the end of the run and nothing is missing: only the end of the body is awaited. */
  readonly isSettled: boolean
  /** The server numbers its frames. */
  readonly isNumbered: boolean
  /** @throws ValidationError for what no AG-UI stream has */
  read(data: string): AgUiEvent
  /** Whether reading the event takes what is loaded on demand. */
  isRare(event: AgUiEvent): boolean
  /**
   * @param rare needed for events that are rare
   * @throws ValidationError
   */
  take(event: AgUiEvent, frame: TakenFrame, rare: RareEvents | undefined): Delivery<AgUiEvent>
  /** Something that is not an event and was left out. */
  leaveOut(raw: string): Delivery<AgUiEvent>
  /** The run has ended with a question. */
  readonly hasQuestions: boolean
  /**
   * The outcome of the run at the end of the stream. Undefined: the answer was cut, and a new connection may have the rest.
   * @param ask needed where there are questions
   */
  conclude(end: BodyEnd, ask: AskQuestions | undefined): Delivery<AgUiEvent> | undefined
}

interface TakenFrame {
  readonly data: string
  /** Empty: the frame has none. */
  readonly id: string
  readonly bytes: number
}

export interface RunReadingOptions {
  readonly requestId: string
  readonly request: AgUiRequest
  /** State of the earlier connections. Absent: this is the first one. */
  readonly known: AgUiHandle | undefined
  readonly deviate: Deviation
  readonly isStrict: boolean
  readonly tools: Readonly<Record<string, PageTool>>
  readonly custom: Readonly<Record<string, CustomPart>>
}

export function createRunReading(options: RunReadingOptions): RunReading {
  const { requestId, request, known, deviate, isStrict, tools, custom } = options
  const { threadId, runId, messages } = request.body
  // The new messages of this run are stored with it.
  const base = messages.slice(0, messages.length - request.results)
  const before = known?.reading
  const streamId = requestId
  // A request that is made again may have another one.
  const { stateEdit } = known ?? request
  const thread = createThread(
    known?.isWhole === true ? known.messages : [...base, ...(known?.messages ?? messages.slice(base.length))],
  )
  const order = createRunOrder(before?.order ?? { phase: 'before', open: {} }, deviate)
  let lanes: ChunkLanes | undefined
  const calls = new Set(before?.calls)
  let seen = before?.seen ?? 0
  let minted = before?.minted ?? 0
  let asked: readonly AgUiInterrupt[] = before?.asked ?? []
  let end: RunTerminal | undefined = before?.end
  let interrupts: readonly AgUiInterrupt[] | undefined
  let isOver = false
  let { firstId, lastId } = known ?? {}
  let rare: RareEvents | undefined
  let work: WorkLog | undefined
  const workLog = (): WorkLog => (work ??= (rare as RareEvents).createWorkLog(before?.work, () => ++minted))
  const writer = createThreadWriter({
    streamId,
    thread,
    base,
    answered: request.answered,
    calls,
    state: known !== undefined && 'state' in known ? known.state : (before?.sent ?? request.body.state),
    isTouched: known === undefined ? stateEdit !== undefined : 'state' in known,
    stateEdit,
    deviate,
    work: workLog,
    isOpen: (id) => order.isOpen('TOOL_CALL', id),
  })

  function delivery(events: readonly AgentEvent[], source?: AgUiEvent, bytes?: number): Delivery<AgUiEvent> {
    const [event] = events
    const rest = { source, bytes, cursor: { streamId, seq: seen }, progress: event !== undefined }
    return event !== undefined && events.length === 1 ? { ...rest, event } : { ...rest, events }
  }

  function leftOut(raw: string): AgentEvent {
    return { type: 'diagnostic', diagnostic: { kind: 'skipped-packet', error: createAgUiError(LEFT_OUT), raw } }
  }

  const openCalls = (): string[] => [...calls].filter((id) => thread.result(id) === undefined)
  const isOfPage = (id: string): boolean => Object.hasOwn(tools, thread.call(id)?.call.function.name ?? '')
  /** A tool of the server has no result yet: what ended the run may not be its last word. */
  const owes = (): boolean =>
    !(end?.type === 'finished' && end.outcome.type !== 'success') && openCalls().some((id) => !isOfPage(id))
  /** Of one that was not cancelled. */
  const interruptsOf = (outcome: Exclude<AgUiOutcome, { readonly type: 'cancelled' }>): readonly AgUiInterrupt[] =>
    outcome.type === 'interrupt' ? outcome.interrupts : asked
  const hasQuestions = (): boolean =>
    end?.type === 'finished' &&
    end.outcome.type !== 'cancelled' &&
    (interruptsOf(end.outcome).length > 0 || openCalls().some(isOfPage))

  /** The neutral events of one event. Undefined: it is left out. */
  function eventsOf(event: AgUiEvent): AgentEvent[] | undefined {
    const wasWithdrawn = event.type === 'TEXT_MESSAGE_CONTENT' && order.isOpen('TEXT_MESSAGE', event.messageId)
    if (!order.admit(event, (id) => thread.call(id) !== undefined)) return undefined
    switch (event.type) {
      case 'RUN_STARTED':
        end = undefined
        writer.write(event, { rare, wasWithdrawn })
        return [{ type: 'run-started', runId: event.runId }]
      case 'RUN_FINISHED': {
        const { result, usage } = event
        end = { type: 'finished', outcome: outcomeOf(event), result, usage }
        return []
      }
      case 'RUN_ERROR':
        end = { type: 'failed', message: event.message, code: event.code }
        return []
      case 'CUSTOM':
        return customEvents(event)
      default:
        return writer.write(event, { rare, wasWithdrawn })
    }
  }

  function outcomeOf(event: Extract<AgUiEvent, { readonly type: 'RUN_FINISHED' }>): AgUiOutcome {
    return (isPlainEnd(event) ? undefined : rare?.readOutcome(event, deviate)) ?? { type: 'success' }
  }

  function customEvents({ name, value }: Extract<AgUiEvent, { readonly type: 'CUSTOM' }>): AgentEvent[] {
    if (name === LANGGRAPH_INTERRUPT && !isStrict && rare !== undefined) {
      asked = [...asked, rare.interruptOf(value, asked.length + 1)]
      return []
    }
    const part = Object.hasOwn(custom, name) ? custom[name]?.(value) : undefined
    return part === undefined ? [] : [{ type: 'part', streamId, partId: `custom-${name}`, part }]
  }

  return {
    get handle(): AgUiHandle {
      const all = thread.messages
      const isWhole = base.some((message, place) => all[place] !== message)
      return {
        threadId,
        runId,
        messages: all.slice(isWhole ? 0 : base.length),
        ...(isWhole && { isWhole }),
        ...(writer.isTouched && { state: writer.state }),
        ...(stateEdit !== undefined && { stateEdit }),
        ...(interrupts && { interrupts }),
        ...(firstId !== undefined && { firstId }),
        ...(lastId !== undefined && { lastId }),
        ...(!isOver && {
          reading: {
            seen,
            order: order.state,
            lanes: lanes?.lanes ?? before?.lanes ?? {},
            calls: [...calls],
            work: work?.state ?? before?.work,
            asked,
            minted,
            ...(!writer.isTouched && { sent: writer.state }),
            ...(end && { end }),
          },
        }),
      }
    },
    get isSettled() {
      return end !== undefined && order.phase !== 'active' && !owes()
    },
    get isNumbered() {
      return lastId !== undefined
    },
    read: (data) => readEvent(data, deviate, (begins) => `thinking-${begins ? ++minted : minted}`),
    isRare: (event) =>
      RARE.test(event.type) ||
      (event.type === 'RUN_FINISHED' && !isPlainEnd(event)) ||
      (event.type === 'CUSTOM' && event.name === LANGGRAPH_INTERRUPT) ||
      (event.type === 'RUN_STARTED' && event.messages.length > 0) ||
      (lanes === undefined && Object.keys(before?.lanes ?? {}).length > 0),
    take(event, { data, id, bytes }, loaded) {
      rare ??= loaded
      lanes ??= rare?.createChunkLanes(before?.lanes ?? {})
      if (id !== '') {
        firstId ??= id
        lastId = id
      }
      const isFirst = seen === 0
      const events: AgentEvent[] = isFirst ? [...writer.answeredCalls(), ...writer.editedState()] : []
      // What follows an error is not looked at.
      const all = order.phase === 'failed' && event.type !== 'RUN_STARTED' ? [event] : (lanes?.expand(event) ?? [event])
      let isLeftOut = false
      const apply = (each: AgUiEvent): void => {
        const own = eventsOf(each)
        if (own === undefined) isLeftOut = true
        else events.push(...own)
      }
      const last = all.at(-1) ?? event
      for (const each of all.slice(0, -1)) apply(each)
      if (order.phase !== 'failed') for (const each of order.endsBefore(last)) apply(each)
      isLeftOut = false
      apply(last)
      if (isLeftOut) events.push(leftOut(data))
      const taken = delivery(events, event, bytes)
      seen += 1
      return taken
    },
    leaveOut: (raw) => ({ event: leftOut(raw), progress: false }),
    get hasQuestions() {
      return hasQuestions()
    },
    conclude(bodyEnd, ask) {
      if (end === undefined || order.phase === 'active') return undefined
      if (bodyEnd === 'broken' && end.type === 'finished' && owes()) return undefined
      isOver = true
      return delivery(lastEvents(end, ask))
    },
  }

  function lastEvents(last: RunTerminal, ask: AskQuestions | undefined): AgentEvent[] {
    if (last.type === 'failed') {
      const message = last.message || 'The agent reported an error and said nothing more about it.'
      const init = { kind: 'runtime', code: 'agent_error', severity: 'FATAL', message, agentCode: last.code } as const
      return [{ type: 'stream-failed', streamId, error: createAgUiError(init) }]
    }
    const { outcome, result: response, usage } = last
    const events: AgentEvent[] = usage === undefined ? [] : [{ type: 'usage', streamId, usage }]
    if (outcome.type === 'cancelled') return [...events, { type: 'run-finished', response, outcome: 'cancelled' }]
    const open = openCalls()
    const all = interruptsOf(outcome)
    for (const id of open) events.push(...writer.callEvent(id, 'waiting'))
    const questions =
      ask?.({ requestId, interrupts: all, open, thread, tools, isStrict, callEvent: writer.callEvent }) ?? []
    if (all.length > 0) interrupts = all
    return [
      ...events,
      ...questions,
      { type: 'run-finished', response, outcome: hasQuestions() ? 'awaiting-input' : 'complete' },
    ]
  }
}

/** How LangGraph asks in a server that has no outcome for it. */
const LANGGRAPH_INTERRUPT = 'on_interrupt'
/** Types of events whose reading is loaded on demand. */
const RARE = /_(?:CHUNK|DELTA|VALUE)$|^(?:MESSAGES|ACTIVITY|STEP|SUBAGENT)_/

/** Whether a run has simply ended, and asks for nothing. */
function isPlainEnd({ outcome, interrupts }: RawOutcome): boolean {
  const asksBeside = Array.isArray(interrupts) ? interrupts.length > 0 : (interrupts ?? undefined) !== undefined
  if (outcome === undefined || outcome === null) return !asksBeside
  return isJsonObject(outcome) && outcome['type'] === 'success'
}
