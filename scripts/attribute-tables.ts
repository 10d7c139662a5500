import { agentCardAttributes } from '../src/components/agent-card-view.tsx'
import { artifactCardAttributes } from '../src/components/artifact-card.tsx'
import { artifactViewAttributes } from '../src/components/artifact-view.tsx'
import { chatAttributes } from '../src/components/chat.tsx'
import { citationBlockAttributes } from '../src/components/citation-block/cited-text.tsx'
import { composerAttributes } from '../src/components/composer/composer-box.tsx'
import { connectionStatusAttributes } from '../src/components/connection-status.tsx'
import { dataBlockAttributes } from '../src/components/data-block.tsx'
import { diagramAttributes } from '../src/components/create-diagram.tsx'
import { errorBannerAttributes } from '../src/components/error-banner.tsx'
import { gapMarkAttributes } from '../src/components/gap-mark.tsx'
import { healthBadgeAttributes } from '../src/components/health-badge.tsx'
import { buttonAttributes } from '../src/components/internals/buttons.tsx'
import { iconAttributes } from '../src/components/internals/icon.tsx'
import { messageStatusRowAttributes } from '../src/components/internals/status-mark.tsx'
import { markdownBlockAttributes } from '../src/components/markdown-block/code-block.tsx'
import { mathAttributes } from '../src/components/create-math.tsx'
import { mediaCarouselAttributes } from '../src/components/media-carousel.tsx'
import { feedbackActionAttributes } from '../src/components/feedback-action.tsx'
import { messageListAttributes } from '../src/components/message-list/message-list.tsx'
import { messageAttributes } from '../src/components/message/message-actions.tsx'
import { progressIndicatorAttributes } from '../src/components/progress-indicator.tsx'
import { leaseBadgeAttributes } from '../src/components/lease-badge.tsx'
import { promptCardAttributes } from '../src/components/prompt-card.tsx'
import { promptTraceAttributes } from '../src/components/prompt-trace.tsx'
import { schemaFormAttributes } from '../src/components/schema-form/fields.tsx'
import { skeletonAttributes } from '../src/components/skeleton.tsx'
import { jobCardAttributes } from '../src/components/job-card.tsx'
import { logViewerAttributes } from '../src/components/log-viewer.tsx'
import { sessionStatusAttributes } from '../src/components/session-status.tsx'
import { subscriptionViewerAttributes } from '../src/components/subscription-viewer.tsx'
import { usageMeterAttributes } from '../src/components/usage-meter.tsx'
import { taskCardAttributes, taskStatusAttributes } from '../src/components/task-card.tsx'
import { thoughtTraceAttributes } from '../src/components/thought-trace.tsx'
import { threadListAttributes } from '../src/components/thread-row.tsx'
import { toolCallAttributes } from '../src/components/tool-call.tsx'
import { userNoticeAttributes } from '../src/components/user-notice.tsx'
import { warningNoteAttributes } from '../src/components/warning-note.tsx'
import type { PartAttributes } from '../src/components/internals/part.ts'

/** The `data-*` attributes of every part, by the name of the component. */
export const ATTRIBUTE_TABLES: Readonly<Record<string, PartAttributes>> = {
  AgentCardView: agentCardAttributes,
  ArtifactCard: artifactCardAttributes,
  ArtifactView: artifactViewAttributes,
  Button: buttonAttributes,
  Chat: chatAttributes,
  CitationBlock: citationBlockAttributes,
  Composer: composerAttributes,
  ConnectionStatus: connectionStatusAttributes,
  DataBlock: dataBlockAttributes,
  ErrorBanner: errorBannerAttributes,
  FeedbackAction: feedbackActionAttributes,
  GapMark: gapMarkAttributes,
  HealthBadge: healthBadgeAttributes,
  Icon: iconAttributes,
  MarkdownBlock: markdownBlockAttributes,
  'createDiagram()': diagramAttributes,
  'createMath()': mathAttributes,
  MediaCarousel: mediaCarouselAttributes,
  Message: messageAttributes,
  MessageList: messageListAttributes,
  MessageStatusRow: messageStatusRowAttributes,
  ProgressIndicator: progressIndicatorAttributes,
  LeaseBadge: leaseBadgeAttributes,
  PromptCard: promptCardAttributes,
  PromptTrace: promptTraceAttributes,
  SchemaForm: schemaFormAttributes,
  Skeleton: skeletonAttributes,
  JobCard: jobCardAttributes,
  LogViewer: logViewerAttributes,
  SessionStatus: sessionStatusAttributes,
  SubscriptionViewer: subscriptionViewerAttributes,
  CostMeter: usageMeterAttributes,
  TokenMeter: usageMeterAttributes,
  TaskCard: taskCardAttributes,
  TaskStatusBadge: taskStatusAttributes,
  ThoughtTrace: thoughtTraceAttributes,
  ThreadList: threadListAttributes,
  ToolCall: toolCallAttributes,
  UserNotice: userNoticeAttributes,
  WarningNote: warningNoteAttributes,
}
