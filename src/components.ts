'use client'
export { Announcer } from './components/announcer.tsx'
export { ArtifactCard, type ArtifactCardProps } from './components/artifact-card.tsx'
export {
  Chat,
  type ChatProps,
  ChatBanner,
  type ChatBannerProps,
  ChatHeader,
  type ChatHeaderProps,
  ChatDock,
  type ChatDockProps,
} from './components/chat.tsx'
export {
  CitationBlock,
  type CitationBlockProps,
  SourcesPanel,
  type SourcesPanelProps,
} from './components/citation-block/citation-block.tsx'
export { CitationProvider, type CitationProviderProps } from './components/citation-block/citation-provider.tsx'
export { CitedText, type CitedTextProps } from './components/citation-block/cited-text.tsx'
export { collectCitations } from './components/citation-block/collect-citations.ts'
export { Composer, type ComposerProps } from './components/composer/composer.tsx'
export {
  type Draft,
  type DraftSnapshot,
  type MessageDraft,
  createDraft,
  DraftContext,
  draftOf,
  type FileNews,
  type OnAttach,
  type PendingAttachment,
} from './components/composer/draft.ts'
export {
  ConnectionStatus,
  type ConnectionStatusProps,
  type ConnectionStatusState,
} from './components/connection-status.tsx'
export { DataBlock, type DataBlockProps } from './components/data-block.tsx'
export { type Dictionary, type DictionaryOverrides, defaultStrings } from './strings/dictionary.ts'
export {
  DictionaryProvider,
  type DictionaryProviderProps,
  useDictionary,
} from './components/dictionary/dictionary-context.tsx'
export { EmptyState, type EmptyStateProps, type Suggestion } from './components/empty-state.tsx'
export { type ErrorActions, ErrorBanner, type ErrorBannerProps } from './components/error-banner.tsx'
export {
  ErrorBoundary,
  type ErrorBoundaryProps,
  RenderErrorContext,
  type RenderErrorHandler,
} from './components/error-boundary.tsx'
export { type ErrorDescription, describeError } from './components/error-details.tsx'
export type { AgentErrorMessages, ErrorMessage, ErrorMessages, ErrorWords } from './strings/error-messages.ts'
export { GapMark, type GapMarkProps } from './components/gap-mark.tsx'
export { HealthBadge, type HealthBadgeProps, type HealthStatus } from './components/health-badge.tsx'
export { Icon, type IconName, type IconProps } from './components/internals/icon.tsx'
export {
  MarkdownBlock,
  type MarkdownBlockProps,
  MarkdownProvider,
  type MarkdownProviderProps,
} from './components/markdown-block/markdown-block.tsx'
export type { MarkdownEngine, MarkdownTextProps, TextGap } from './components/markdown-block/markdown-engine.ts'
export { MediaCarousel, type MediaCarouselProps } from './components/media-carousel.tsx'
export { MediaPolicyProvider, type MediaPolicyProviderProps, useMediaConsent } from './components/media-policy.tsx'
export { Message, type MessageProps } from './components/message/message.tsx'
export { CopyAction, EditAction, RetryAction, type MessageActionProps } from './components/message/message-actions.tsx'
export { FeedbackAction, type FeedbackActionProps, type FeedbackValue } from './components/feedback-action.tsx'
export { useMessage } from './components/message/message-context.ts'
export type { RenderPart } from './components/message/render-part.ts'
export { MessageList, type MessageListProps, type MessagePosition } from './components/message-list/message-list.tsx'
export type { RenderRoot, RootProps } from './components/internals/part.ts'
export { ProgressIndicator, type ProgressIndicatorProps, type ProgressStep } from './components/progress-indicator.tsx'
export { safeLink, safeMedia } from './base/safe-url.ts'
export { Skeleton, type SkeletonProps } from './components/skeleton.tsx'
export { type Thought, type ThoughtState, ThoughtTrace, type ThoughtTraceProps } from './components/thought-trace.tsx'
export { ToolCall, type ToolCallProps } from './components/tool-call.tsx'
export { TypingIndicator, type TypingIndicatorProps } from './components/typing-indicator.tsx'
export { UnknownEvent, type UnknownEventProps } from './components/unknown-event.tsx'
export { UserNotice, type UserNoticeProps } from './components/user-notice.tsx'
export { WarningNote, type WarningNoteProps } from './components/warning-note.tsx'
