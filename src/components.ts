'use client'

export { Announcer } from './components/announcer.tsx'
export { ArtifactCard, type ArtifactCardProps } from './components/artifact-card.tsx'
export { Chat, type ChatProps } from './components/chat/chat.tsx'
export { ChatBanner, type ChatBannerProps } from './components/chat/chat-banner.tsx'
export { ChatDock, type ChatDockProps } from './components/chat/chat-dock.tsx'
export { ChatHeader, type ChatHeaderProps } from './components/chat/chat-header.tsx'
export { CitationBlock, type CitationBlockProps } from './components/citation-block/citation-block.tsx'
export { CitationProvider, type CitationProviderProps } from './components/citation-block/citation-provider.tsx'
export { CitedText, type CitedTextProps } from './components/citation-block/cited-text.tsx'
export { collectCitations } from './components/citation-block/collect-citations.ts'
export { SourcesPanel, type SourcesPanelProps } from './components/citation-block/sources-panel.tsx'
export { Composer, type ComposerProps } from './components/composer/composer.tsx'
export { createDraft, type Draft, type DraftSnapshot, type MessageDraft } from './components/composer/draft.ts'
export { DraftContext, draftOf } from './components/composer/draft-context.ts'
export type { FileNews, OnAttach, PendingAttachment } from './components/composer/pending-attachment.ts'
export {
  ConnectionStatus,
  type ConnectionStatusProps,
  type ConnectionStatusState,
} from './components/connection-status.tsx'
export { DataBlock, type DataBlockProps } from './components/data-block.tsx'
export { defaultStrings, type Dictionary, type DictionaryOverrides } from './strings/dictionary.ts'
export {
  DictionaryProvider,
  useDictionary,
  type DictionaryProviderProps,
} from './components/dictionary/dictionary-context.tsx'
export { EmptyState, type EmptyStateProps, type Suggestion } from './components/empty-state.tsx'
export { ErrorBanner, type ErrorActions, type ErrorBannerProps } from './components/error-banner.tsx'
export { ErrorBoundary, type ErrorBoundaryProps } from './components/error-boundary.tsx'
export { RenderErrorContext, type RenderErrorHandler } from './components/render-error-context.ts'
export { describeError, type ErrorDescription } from './components/describe-error.ts'
export type { AgentErrorMessages, ErrorMessage, ErrorMessages, ErrorWords } from './strings/error-messages.ts'
export { GapMark, type GapMarkProps } from './components/gap-mark.tsx'
export { HealthBadge, type HealthBadgeProps, type HealthStatus } from './components/health-badge.tsx'
export { Icon, type IconName, type IconProps } from './components/internals/icon.tsx'
export { MarkdownBlock, type MarkdownBlockProps } from './components/markdown-block/markdown-block.tsx'
export type { MarkdownEngine, MarkdownTextProps, TextGap } from './components/markdown-block/markdown-engine.ts'
export { MarkdownProvider, type MarkdownProviderProps } from './components/markdown-block/markdown-provider.tsx'
export { MediaCarousel, type MediaCarouselProps } from './components/media-carousel.tsx'
export { MediaPolicyProvider, useMediaConsent, type MediaPolicyProviderProps } from './components/media-policy.tsx'
export { Message, type MessageProps } from './components/message/message.tsx'
export { CopyAction } from './components/message-actions/copy-action.tsx'
export { EditAction } from './components/message-actions/edit-action.tsx'
export {
  FeedbackAction,
  type FeedbackActionProps,
  type FeedbackValue,
} from './components/message-actions/feedback-action.tsx'
export type { MessageActionProps } from './components/message-actions/message-action-props.ts'
export { useMessage } from './components/message-actions/message-context.ts'
export { RetryAction } from './components/message-actions/retry-action.tsx'
export type { RenderPart } from './components/message/render-part.ts'
export { MessageList, type MessageListProps, type MessagePosition } from './components/message-list/message-list.tsx'
export type { RenderRoot, RootProps } from './components/internals/part.ts'
export { ProgressIndicator, type ProgressIndicatorProps, type ProgressStep } from './components/progress-indicator.tsx'
export { safeLink, safeMedia } from './components/internals/safe-url.ts'
export { Skeleton, type SkeletonProps } from './components/skeleton.tsx'
export { ThoughtTrace, type Thought, type ThoughtState, type ThoughtTraceProps } from './components/thought-trace.tsx'
export { ToolCall, type ToolCallProps } from './components/tool-call.tsx'
export { TypingIndicator, type TypingIndicatorProps } from './components/typing-indicator.tsx'
export { UnknownEvent, type UnknownEventProps } from './components/unknown-event.tsx'
export { UserNotice, type UserNoticeProps } from './components/user-notice.tsx'
export { WarningNote, type WarningNoteProps } from './components/warning-note.tsx'
export { ThreadList, type ThreadListProps } from './components/thread-list.tsx'
export type { NotSaved } from './strings/threads.ts'
export { tool, type PartialInput, type ToolViewProps } from './components/tool.tsx'
export type { ShownToolCall, ToolRenderer, ToolRenderers } from './components/message/tool-renderer.ts'
export type { StandardResult, StandardSchema } from './base/standard-schema.ts'
export { AgentCardView, type AgentCardViewProps } from './components/agent-card-view.tsx'
export type { AgentDescription, AgentSkillDescription } from './components/agent-description.ts'
export {
  ArtifactView,
  type ArtifactContent,
  type ArtifactVersion,
  type ArtifactViewProps,
} from './components/artifact-view.tsx'
export type { SubTask } from './components/sub-task.ts'
export { TaskCard, type TaskCardProps } from './components/task-card.tsx'
export { TaskStatusBadge, type TaskStatusBadgeProps } from './components/task-status-badge.tsx'
export {
  TaskStringsProvider,
  useTaskStrings,
  type TaskStringsProviderProps,
} from './components/dictionary/task-strings-context.tsx'
export { ApprovalCard, type ApprovalCardProps } from './components/prompt-body/approval-card.tsx'
export { ChoiceCard, type ChoiceCardProps } from './components/prompt-body/choice-card.tsx'
export { FormPrompt, type FormPromptProps } from './components/prompt-body/form-prompt.tsx'
export { PermissionPrompt, type PermissionPromptProps } from './components/prompt-body/permission-prompt.tsx'
export { SignInCard, type SignInCardProps } from './components/prompt-body/sign-in-card.tsx'
export { UnknownPrompt, type UnknownPromptProps } from './components/prompt-body/unknown-prompt.tsx'
export type { DecisionProps } from './components/prompt-body/decision-root.tsx'
export type { PromptBodyProps } from './components/internals/prompt-body-props.ts'
export { LeaseBadge, type LeaseBadgeProps, type LeaseBadgeStatus } from './components/lease-badge.tsx'
export { LeaseList, type LeaseListProps } from './components/lease-list.tsx'
export { PromptCard, type PromptCardProps } from './components/prompt-card.tsx'
export { PromptDock, type PromptDockProps } from './components/prompt-dock.tsx'
export { PromptTrace, type PromptTraceProps } from './components/prompt-trace.tsx'
export type { FormDrafts } from './components/schema-form/form-drafts.ts'
export type { SchemaFormProps, SchemaFormStatus } from './components/schema-form/form-body.tsx'
export { SchemaForm } from './components/schema-form/schema-form.tsx'
export {
  PromptStringsProvider,
  usePromptStrings,
  type PromptStringsProviderProps,
} from './components/dictionary/prompt-strings-context.tsx'
export { JobCard, type JobCardProps } from './components/job-card.tsx'
export type { JobState, LogLevel, SessionPhase } from './strings/jobs.ts'
export {
  JobStringsProvider,
  useJobStrings,
  type JobStringsProviderProps,
} from './components/dictionary/job-strings-context.tsx'
export { LogViewer, type LogViewerEntry, type LogViewerProps } from './components/log-viewer.tsx'
export { SessionStatus, type SessionStatusProps } from './components/session-status.tsx'
export {
  SubscriptionViewer,
  type SubscribedEvent,
  type SubscriptionStatus,
  type SubscriptionViewerProps,
} from './components/subscription-viewer.tsx'
export { CostMeter, type CostMeterProps } from './components/usage-meter.tsx'
export { TokenMeter, type TokenMeterProps } from './components/usage-meter.tsx'
export type { Language } from './strings/dictionary.ts'
export type { JobStrings } from './strings/jobs.ts'
export type { PromptStrings } from './strings/prompts.ts'
export type { TaskStrings } from './strings/tasks.ts'
