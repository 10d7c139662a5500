'use client'

export { AgentProvider, type AgentProviderProps } from './react/agent-provider.tsx'
export { ChatContext, useChatContext } from './react/chat-context.ts'
export {
  useAgentChat,
  type AgentChat,
  type AgentChatOptions,
  type TypedOutgoingMessage,
} from './react/use-agent-chat.ts'
export { useAgUiChat, type AgUiChat, type AgUiChatOptions } from './protocols/ag-ui/hooks/use-ag-ui-chat.ts'
export { useAiSdkChat, type AiSdkChat, type AiSdkChatOptions } from './protocols/ai-sdk/hooks/use-ai-sdk-chat.ts'
export { useChatInstance, type ChatInstanceOptions } from './react/use-agent-chat.ts'
export { useCapAssist, type CapAssist, type CapAssistOptions } from './protocols/cap/hooks/use-cap-assist.ts'
export { useCapChat, type CapChat, type CapChatOptions } from './protocols/cap/hooks/use-cap-chat.ts'
export type { ChatTypes, DataPartOf, MetadataOf, ToolPartOf, TypedMessage } from './state/message.ts'
export type { RunEnd } from './state/chat-options.ts'
export { useChatSelector, type ChatSelectorOptions } from './react/chat-context.ts'
export { useLeases, type LeaseControls, type LeasesOptions } from './react/use-leases.ts'
export { usePrompt, usePrompts, type PromptControls, type PromptsOptions } from './react/use-prompts.ts'
export { useAgentState, type AgentState, type AgentStateOptions, type StateResult } from './react/use-agent-state.ts'
export type { StateEdit } from './seam/state-edit.ts'
export type { AgentStateStatus } from './react/use-agent-state.ts'
export type { StandardResult, StandardSchema } from './base/standard-schema.ts'
export { useSavedDraft } from './components/use-saved-draft.ts'
export { useThreads, type ThreadsView } from './react/use-threads.ts'
export type { AgentCardSnapshot } from './protocols/a2a/hooks/agent-card-cache.ts'
export { useA2AChat, type A2AChat, type A2AChatOptions } from './protocols/a2a/hooks/use-a2a-chat.ts'
export { useA2ATask, type A2ATask, type A2ATaskOptions } from './protocols/a2a/hooks/use-a2a-task.ts'
export { useAgentCard, type AgentCardOptions, type AgentCardResult } from './protocols/a2a/hooks/use-agent-card.ts'
export { ArcpProvider, type ArcpHookOptions, type ArcpProviderProps } from './protocols/arcp/hooks/arcp-provider.tsx'
export type { ArcpArtifactContent } from './protocols/arcp/hooks/artifact-cache.ts'
export type { ArcpCommandResult } from './protocols/arcp/hooks/command-result.ts'
export {
  useArcpArtifact,
  type ArcpArtifactHookOptions,
  type ArcpArtifactResult,
} from './protocols/arcp/hooks/use-arcp-artifact.ts'
export { useArcpInvoke, type ArcpInvokeResult } from './protocols/arcp/hooks/use-arcp-invoke.ts'
export { useArcpJob, type ArcpJobResult } from './protocols/arcp/hooks/use-arcp-job.ts'
export { useArcpLeases, type ArcpLeasesOptions } from './protocols/arcp/hooks/use-arcp-leases.ts'
export { useArcpMetrics, type ArcpMetricsResult } from './protocols/arcp/hooks/use-arcp-metrics.ts'
export { useArcpPrompts, type ArcpPromptsOptions } from './protocols/arcp/hooks/use-arcp-prompts.ts'
export { useArcpSession, type ArcpSessionResult } from './protocols/arcp/hooks/use-arcp-session.ts'
export { useArcpState, type ArcpStateOptions } from './protocols/arcp/hooks/use-arcp-state.ts'
export {
  useArcpSubscription,
  type ArcpSubscriptionOptions,
  type ArcpSubscriptionResult,
} from './protocols/arcp/hooks/use-arcp-subscription.ts'
