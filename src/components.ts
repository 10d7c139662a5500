'use client'
export { Announcer } from './components/announcer/announcer.tsx'
export { ArtifactCard, type ArtifactCardProps } from './components/artifact-card/artifact-card.tsx'
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
export { type Draft, type DraftSnapshot, type MessageDraft, createDraft } from './components/composer/draft.ts'
export { DraftContext, draftOf } from './components/composer/draft-context.ts'
export type { FileNews, OnAttach, PendingAttachment } from './components/composer/pending-attachment.ts'
export {
  ConnectionStatus,
  type ConnectionStatusProps,
  type ConnectionStatusState,
} from './components/connection-status/connection-status.tsx'
export { DataBlock, type DataBlockProps } from './components/data-block/data-block.tsx'
export { type Dictionary, type DictionaryOverrides, defaultStrings } from './strings/dictionary.ts'
export {
  DictionaryProvider,
  type DictionaryProviderProps,
  useDictionary,
} from './components/dictionary/dictionary-context.tsx'
export { EmptyState, type EmptyStateProps, type Suggestion } from './components/empty-state/empty-state.tsx'
export { type ErrorActions, ErrorBanner, type ErrorBannerProps } from './components/error-banner/error-banner.tsx'
export { ErrorBoundary, type ErrorBoundaryProps } from './components/error-boundary/error-boundary.tsx'
export { RenderErrorContext, type RenderErrorHandler } from './components/error-boundary/render-error-context.ts'
export { type ErrorDescription, describeError } from './components/error-details/describe-error.ts'
export type { AgentErrorMessages, ErrorMessage, ErrorMessages, ErrorWords } from './strings/error-messages.ts'
export { GapMark, type GapMarkProps } from './components/gap-mark/gap-mark.tsx'
export { HealthBadge, type HealthBadgeProps, type HealthStatus } from './components/health-badge/health-badge.tsx'
export { Icon, type IconName, type IconProps } from './components/internals/icon.tsx'
export { MarkdownBlock, type MarkdownBlockProps } from './components/markdown-block/markdown-block.tsx'
export type { MarkdownEngine, MarkdownTextProps, TextGap } from './components/markdown-block/markdown-engine.ts'
export { MarkdownProvider, type MarkdownProviderProps } from './components/markdown-block/markdown-provider.tsx'
export { MediaCarousel, type MediaCarouselProps } from './components/media-carousel/media-carousel.tsx'
export {
  MediaPolicyProvider,
  type MediaPolicyProviderProps,
  useMediaConsent,
} from './components/media-carousel/media-policy.tsx'
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
export {
  ProgressIndicator,
  type ProgressIndicatorProps,
  type ProgressStep,
} from './components/progress-indicator/progress-indicator.tsx'
export { safeLink, safeMedia } from './components/internals/safe-url.ts'
export { Skeleton, type SkeletonProps } from './components/skeleton/skeleton.tsx'
export {
  type Thought,
  type ThoughtState,
  ThoughtTrace,
  type ThoughtTraceProps,
} from './components/thought-trace/thought-trace.tsx'
export { ToolCall, type ToolCallProps } from './components/tool-call/tool-call.tsx'
export { TypingIndicator, type TypingIndicatorProps } from './components/typing-indicator/typing-indicator.tsx'
export { UnknownEvent, type UnknownEventProps } from './components/unknown-event/unknown-event.tsx'
export { UserNotice, type UserNoticeProps } from './components/user-notice/user-notice.tsx'
export { WarningNote, type WarningNoteProps } from './components/warning-note/warning-note.tsx'
export type { Language } from './strings/dictionary.ts'
