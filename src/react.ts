'use client'

export { AgentProvider } from './react/agent-provider.tsx'
export type { AgentProviderProps } from './react/agent-provider.tsx'
export { ChatContext, useChatContext, useChatSelector, type ChatSelectorOptions } from './react/chat-context.ts'
export {
  useAgentChat,
  type AgentChat,
  type AgentChatOptions,
  type TypedOutgoingMessage,
  useChatInstance,
  type ChatInstanceOptions,
} from './react/use-agent-chat.ts'
export { useAgUiChat } from './protocols/ag-ui/hooks/use-ag-ui-chat.ts'
export type { AgUiChat, AgUiChatOptions } from './protocols/ag-ui/hooks/use-ag-ui-chat.ts'
export { useAiSdkChat } from './protocols/ai-sdk/hooks/use-ai-sdk-chat.ts'
export type { AiSdkChat, AiSdkChatOptions } from './protocols/ai-sdk/hooks/use-ai-sdk-chat.ts'
export { useCapAssist } from './protocols/cap/hooks/use-cap-assist.ts'
export type { CapAssist, CapAssistOptions } from './protocols/cap/hooks/use-cap-assist.ts'
export { useCapChat } from './protocols/cap/hooks/use-cap-chat.ts'
export type { CapChat, CapChatOptions } from './protocols/cap/hooks/use-cap-chat.ts'
export type { ChatTypes, DataPartOf, MetadataOf, ToolPartOf, TypedMessage } from './state/message.ts'
export type { RunEnd } from './state/chat-options.ts'
export { useLeases } from './react/use-leases.ts'
export type { LeaseControls, LeasesOptions } from './react/use-leases.ts'
export { usePrompt, usePrompts } from './react/use-prompts.ts'
export type { PromptControls, PromptsOptions } from './react/use-prompts.ts'
