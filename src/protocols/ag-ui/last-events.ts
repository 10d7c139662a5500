import type { AgentEvent, ToolCallStatus } from '../agent-event.ts'
import { createAgUiError } from './errors.ts'
import type { RunTerminal } from './handle.ts'
import type { PageTool } from './presentation/interrupt-prompt.ts'
import { interruptPrompt, outputPrompt, PAGE_TOOL_REASON } from './presentation/interrupt-prompt.ts'
import type { AgUiInterrupt } from './schema/interrupt.ts'
import type { Thread } from './thread.ts'

interface LastEventsOptions {
  readonly streamId: string
  readonly requestId: string
  readonly end: RunTerminal
  /** Questions that came as events of their own, for runs whose end has none. */
  readonly asked: readonly AgUiInterrupt[]
  readonly thread: Thread
  /** Calls that the run has made. */
  readonly calls: ReadonlySet<string>
  readonly tools: Readonly<Record<string, PageTool>>
  readonly isStrict: boolean
  callEvent(callId: string, status: ToolCallStatus): AgentEvent[]
}

/** What a run ends with: its error, or the questions that it leaves, what it took, and its outcome. */
export function lastEvents(options: LastEventsOptions): {
  readonly events: readonly AgentEvent[]
  readonly interrupts?: readonly AgUiInterrupt[] | undefined
} {
  const { streamId, requestId, end, asked, thread, calls, tools, isStrict, callEvent } = options
  if (end.type === 'failed') {
    const { message, code } = end
    const text = message || 'The agent reported an error and said nothing more about it.'
    const init = { kind: 'runtime', code: 'agent_error', severity: 'FATAL', message: text, agentCode: code } as const
    return { events: [{ type: 'stream-failed', streamId, error: createAgUiError(init) }] }
  }
  const { outcome, result, usage } = end
  const events: AgentEvent[] = []
  if (usage !== undefined) events.push({ type: 'usage', streamId, usage })
  if (outcome.type === 'cancelled')
    return { events: [...events, { type: 'run-finished', response: result, outcome: 'cancelled' }] }
  const interrupts = outcome.type === 'interrupt' ? outcome.interrupts : asked
  const callOf = (id: string | undefined) => (id === undefined ? undefined : thread.call(id)?.call)
  const toolOf = (name: string | undefined): PageTool | undefined =>
    name !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined
  const named = new Set<string>()
  let isAwaiting = interrupts.length > 0
  for (const interrupt of interrupts) {
    const call = callOf(interrupt.toolCallId)
    const tool = toolOf(call?.function.name)
    if (call !== undefined && thread.result(call.id) === undefined) {
      named.add(call.id)
      events.push(...callEvent(call.id, 'waiting'))
    }
    const isPageTool = !isStrict && interrupt.reason === PAGE_TOOL_REASON && tool !== undefined
    const asking = { requestId, call }
    const prompt = isPageTool ? outputPrompt(interrupt.id, asking, tool) : interruptPrompt(interrupt, asking)
    events.push({ type: 'prompt', prompt })
  }
  for (const id of calls) {
    const call = callOf(id)
    if (call === undefined || thread.result(id) !== undefined || named.has(id)) continue
    events.push(...callEvent(id, 'waiting'))
    const tool = toolOf(call.function.name)
    if (tool === undefined) continue
    isAwaiting = true
    events.push({ type: 'prompt', prompt: outputPrompt(id, { requestId, call }, tool) })
  }
  events.push({ type: 'run-finished', response: result, outcome: isAwaiting ? 'awaiting-input' : 'complete' })
  return { events, ...(interrupts.length > 0 && { interrupts }) }
}
