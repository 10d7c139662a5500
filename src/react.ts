export { AgentProvider } from './react/agent-provider.tsx'
export { ChatContext, useChatContext, useChatSelector } from './react/chat-context.ts'
export {
  useAgentChat,
  useChatInstance,
  type AgentChat,
  type AgentChatOptions,
  type TypedChat,
} from './react/use-agent-chat.ts'
export { useCapAssist } from './protocols/cap/hooks/use-cap-assist.ts'
export { useCapChat } from './protocols/cap/hooks/use-cap-chat.ts'
export type { ChatTypes, TypedMessage } from './state/turn.ts'
export { useLeases } from './react/use-leases.ts'
export { usePrompt, usePrompts, type PromptControls } from './react/use-prompts.ts'
export { useAgentState, type StateResult } from './react/use-agent-state.ts'
export type { StandardSchema } from './base/standard-schema.ts'
export { useSavedDraft } from './components/thread-list.tsx'
export { useThreads } from './react/use-threads.ts'
export { useA2ATask } from './protocols/a2a/hooks/use-a2a-task.ts'
export { useAgentCard } from './protocols/a2a/hooks/use-agent-card.ts'
export { ArcpProvider } from './protocols/arcp/hooks/arcp-provider.tsx'
export { useArcpArtifact } from './protocols/arcp/hooks/use-arcp-artifact.ts'
export { useArcpInvoke } from './protocols/arcp/hooks/use-arcp-invoke.ts'
export { useArcpJob } from './protocols/arcp/hooks/use-arcp-job.ts'
export { useArcpLeases } from './protocols/arcp/hooks/use-arcp-leases.ts'
export {
  useArcpMetrics,
  useArcpSession,
  useArcpState,
  type ArcpSessionResult,
  type ArcpMetricsResult,
} from './protocols/arcp/hooks/use-arcp-state.ts'
export { useArcpPrompts } from './protocols/arcp/hooks/use-arcp-prompts.ts'
export { useArcpSubscription, type ArcpSubscriptionResult } from './protocols/arcp/hooks/use-arcp-subscription.ts'
export type { A2ATask } from './protocols/a2a/hooks/use-a2a-task.ts'
export type { AgentCardResult } from './protocols/a2a/hooks/use-agent-card.ts'
export type { ArcpArtifactResult } from './protocols/arcp/hooks/use-arcp-artifact.ts'
export type { ArcpInvokeResult } from './protocols/arcp/hooks/use-arcp-invoke.ts'
export type { ArcpJobResult } from './protocols/arcp/hooks/use-arcp-job.ts'
export type { CapAssist } from './protocols/cap/hooks/use-cap-assist.ts'
export type { CapChat } from './protocols/cap/hooks/use-cap-chat.ts'
export type { AgentState } from './react/use-agent-state.ts'
export type { LeaseControls } from './react/use-leases.ts'
export type { ThreadsView } from './react/use-threads.ts'
