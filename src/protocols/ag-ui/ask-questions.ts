import type { AgentEvent, ToolCallStatus } from '../../seam/agent-event.ts'
import type { PageTool } from './interrupt-prompt.ts'
import { interruptPrompt, outputPrompt, PAGE_TOOL_REASON } from './interrupt-prompt.ts'
import type { AgUiInterrupt } from './outcome.ts'
import type { Thread } from './thread.ts'

export interface QuestionsOptions {
  readonly requestId: string
  readonly interrupts: readonly AgUiInterrupt[]
  /** Calls of the run without a result. */
  readonly open: readonly string[]
  readonly thread: Thread
  readonly tools: Readonly<Record<string, PageTool>>
  readonly isStrict: boolean
  callEvent(callId: string, status: ToolCallStatus): AgentEvent[]
}

/** What asks. It is loaded when a run ends with a question. */
export type AskQuestions = (options: QuestionsOptions) => readonly AgentEvent[]

/** The questions that a run ends with: its interrupts, and its calls of tools of the page. */
export const askQuestions: AskQuestions = ({ requestId, interrupts, open, thread, tools, isStrict, callEvent }) => {
  const callOf = (id: string | undefined) => (id === undefined ? undefined : thread.call(id)?.call)
  const toolOf = (name: string | undefined): PageTool | undefined =>
    name !== undefined && Object.hasOwn(tools, name) ? tools[name] : undefined
  const asked = interrupts.flatMap((interrupt): AgentEvent[] => {
    const call = callOf(interrupt.toolCallId)
    const tool = toolOf(call?.function.name)
    const waits = call === undefined || thread.result(call.id) !== undefined ? [] : callEvent(call.id, 'waiting')
    const isPageTool = !isStrict && interrupt.reason === PAGE_TOOL_REASON && tool !== undefined
    const asking = { requestId, call }
    const prompt = isPageTool ? outputPrompt(interrupt.id, asking, tool) : interruptPrompt(interrupt, asking)
    return [...waits, { type: 'prompt', prompt }]
  })
  const named = new Set(interrupts.map(({ toolCallId }) => toolCallId))
  const owed = open.flatMap((id): AgentEvent[] => {
    const call = callOf(id)
    const tool = toolOf(call?.function.name)
    if (tool === undefined || named.has(id)) return []
    return [{ type: 'prompt', prompt: outputPrompt(id, { requestId, call }, tool) }]
  })
  return [...asked, ...owed]
}
