import type { applyJsonPatch } from '../../base/json-patch.ts'
import type { AgentEvent, AgentPart } from '../agent-event.ts'
import type { Delivery } from '../protocol.ts'
import { createChunkLanes } from './chunk-lanes.ts'
import { createAgUiError, LEFT_OUT } from './errors.ts'
import type { AgUiHandle, RunTerminal } from './handle.ts'
import { lastEvents } from './last-events.ts'
import type { PageTool } from './presentation/interrupt-prompt.ts'
import { readEvent } from './read/read-event.ts'
import type { Deviation } from './read/read-fault.ts'
import type { AgUiRequest } from './request.ts'
import { createRunOrder } from './run-order.ts'
import type { AgUiEvent } from './schema/event.ts'
import type { AgUiInterrupt } from './schema/interrupt.ts'
import { addUsage } from './sum-usage.ts'
import { createThread, kindOf } from './thread.ts'
import { createThreadWriter } from './thread-writer.ts'
import { createWorkLog } from './work-log.ts'

/** How a body ended: in order, by waiting for its end in vain, or broken. */
export type BodyEnd = 'eof' | 'grace' | 'broken'

export type ApplyPatch = typeof applyJsonPatch
/** Shows an event `CUSTOM` of the server. Undefined: it is not shown. */
export type CustomPart = (value: unknown) => AgentPart | undefined

/** The events of a run in neutral ones, and how it ends. The ordinal of a frame is its number. */
export interface RunReading {
  readonly handle: AgUiHandle
  /** The run has ended as far as the server has said, and nothing is owed: only the end of the body is waited for. */
  readonly isSettled: boolean
  /** The server numbers its frames. */
  readonly isNumbered: boolean
  /** @throws ReadFault for what no AG-UI stream has */
  read(data: string): AgUiEvent
  /**
   * @param patch needed for events that have a patch
   * @throws ReadFault
   */
  take(event: AgUiEvent, frame: TakenFrame, patch: ApplyPatch | undefined): Delivery<AgUiEvent>
  /** Something that is no event and was left out. */
  leaveOut(raw: string): Delivery<AgUiEvent>
  /** What ends the run, now that nothing more comes. Undefined: the answer was cut, and a new connection may bring the rest. */
  conclude(end: BodyEnd): Delivery<AgUiEvent> | undefined
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
  /** What the connections before have told. Absent: this is the first one. */
  readonly known: AgUiHandle | undefined
  readonly deviate: Deviation
  readonly isStrict: boolean
  readonly tools: Readonly<Record<string, PageTool>>
  readonly custom: Readonly<Record<string, CustomPart>>
}

export function createRunReading(options: RunReadingOptions): RunReading {
  const { requestId, request, known, deviate, isStrict, tools, custom } = options
  const { threadId, runId, messages: base } = request.body
  const before = known?.reading
  const streamId = requestId
  const thread = createThread(known?.isWhole === true ? known.messages : [...base, ...(known?.messages ?? [])])
  const order = createRunOrder(before?.order ?? { phase: 'before', open: {} }, deviate)
  const lanes = createChunkLanes(before?.lanes ?? {})
  const calls = new Set(before?.calls)
  let seen = before?.seen ?? 0
  let minted = before?.minted ?? 0
  let asked: readonly AgUiInterrupt[] = before?.asked ?? []
  let end: RunTerminal | undefined = before?.end
  let interrupts: readonly AgUiInterrupt[] | undefined
  let isOver = false
  let { firstId, lastId } = known ?? {}
  const work = createWorkLog(before?.work, () => ++minted)
  const writer = createThreadWriter({
    streamId,
    thread,
    base,
    answered: request.answered,
    calls,
    state: known?.state ?? request.body.state,
    isTouched: known !== undefined && 'state' in known,
    work,
    isOpen: (id) => order.isOpen('call', id),
  })

  const delivery = (events: readonly AgentEvent[], more: Partial<Delivery<AgUiEvent>> = {}): Delivery<AgUiEvent> => {
    const [event] = events
    const rest = {
      source: more.source,
      bytes: more.bytes,
      cursor: { streamId, seq: seen },
      progress: events.length > 0,
    }
    return events.length === 1 && event !== undefined ? { ...rest, event } : { ...rest, events }
  }

  function leftOut(raw: string): AgentEvent {
    return { type: 'diagnostic', diagnostic: { kind: 'skipped-packet', error: createAgUiError(LEFT_OUT), raw } }
  }

  const owes = (): boolean =>
    [...calls].some((id) => {
      const name = thread.call(id)?.call.function.name ?? ''
      const isAsked = end?.type === 'finished' && end.outcome.type !== 'success'
      return thread.result(id) === undefined && !Object.hasOwn(tools, name) && !isAsked
    })

  function admit(event: AgUiEvent): boolean {
    return order.admit(event, (id) => thread.call(id) !== undefined)
  }

  /** The neutral events of one event. Undefined: it is left out. */
  function eventsOf(event: AgUiEvent, patch: ApplyPatch | undefined): AgentEvent[] | undefined {
    const wasWithdrawn = event.type === 'TEXT_MESSAGE_CONTENT' && order.isOpen('text', event.messageId)
    if (!admit(event)) return undefined
    switch (event.type) {
      case 'RUN_STARTED':
        end = undefined
        for (const message of event.messages)
          if (thread.get(kindOf(message.role), message.id) === undefined) thread.put(message)
        return [{ type: 'run-started', runId: event.runId }]
      case 'RUN_FINISHED': {
        const { outcome, result, usage } = event
        end = { type: 'finished', outcome, result, usage: addUsage(usage) }
        return []
      }
      case 'RUN_ERROR':
        end = { type: 'failed', message: event.message, code: event.code }
        return []
      case 'CUSTOM':
        return customEvents(event)
      default:
        return writer.write(event, { patch, wasWithdrawn })
    }
  }

  function customEvents({ name, value }: Extract<AgUiEvent, { readonly type: 'CUSTOM' }>): AgentEvent[] {
    if (name === 'on_interrupt' && !isStrict) {
      const message = typeof value === 'string' && !/^\s*[{["]/.test(value) ? value : undefined
      const id = `${name}-${asked.length + 1}`
      asked = [
        ...asked,
        { id, reason: name, ...(message !== undefined && { message }), metadata: value, via: 'command' },
      ]
      return []
    }
    const part = Object.hasOwn(custom, name) ? custom[name]?.(value) : undefined
    return part === undefined ? [] : [{ type: 'part', streamId, partId: `custom-${name}`, part }]
  }

  function handle(): AgUiHandle {
    const { messages } = thread
    const isWhole = base.some((message, place) => messages[place] !== message)
    return {
      threadId,
      runId,
      messages: isWhole ? [...messages] : messages.slice(base.length),
      ...(isWhole && { isWhole }),
      ...(writer.isTouched && { state: writer.state }),
      ...(interrupts && { interrupts }),
      ...(firstId !== undefined && { firstId }),
      ...(lastId !== undefined && { lastId }),
      ...(!isOver && {
        reading: {
          seen,
          order: order.state,
          lanes: lanes.lanes,
          calls: [...calls],
          work: work.state,
          asked,
          minted,
          ...(end && { end }),
        },
      }),
    }
  }

  return {
    get handle() {
      return handle()
    },
    get isSettled() {
      return end !== undefined && order.phase !== 'active' && !owes()
    },
    get isNumbered() {
      return lastId !== undefined
    },
    read: (data) => readEvent(data, deviate, (begins) => `thinking-${begins ? ++minted : minted}`),
    take(event, { data, id, bytes }, patch) {
      if (id !== '') {
        firstId ??= id
        lastId = id
      }
      const isFirst = seen === 0
      const events: AgentEvent[] = isFirst ? writer.answeredCalls() : []
      // What follows an error is not looked at.
      const all = order.phase === 'failed' && event.type !== 'RUN_STARTED' ? [event] : lanes.expand(event)
      let isLeftOut = false
      const apply = (each: AgUiEvent): void => {
        const own = eventsOf(each, patch)
        if (own === undefined) isLeftOut = true
        else events.push(...own)
      }
      const last = all.at(-1) ?? event
      for (const each of all.slice(0, -1)) apply(each)
      if (order.phase !== 'failed') for (const each of order.endsBefore(last)) apply(each)
      isLeftOut = false
      apply(last)
      if (isLeftOut) events.push(leftOut(data))
      const taken = delivery(events, { source: event, bytes })
      seen += 1
      return taken
    },
    leaveOut: (raw) => ({ event: leftOut(raw), progress: false }),
    conclude(bodyEnd) {
      if (end === undefined || order.phase === 'active') return undefined
      if (bodyEnd === 'broken' && end.type === 'finished' && owes()) return undefined
      isOver = true
      const last = lastEvents({
        streamId,
        requestId,
        end,
        asked,
        thread,
        calls,
        tools,
        isStrict,
        callEvent: writer.callEvent,
      })
      interrupts = last.interrupts
      return delivery(last.events)
    },
  }
}
