import { CitationBlock } from '../citation-block/citation-block.tsx'
import { DataBlock } from '../data-block.tsx'
import { MediaCarousel } from '../media-carousel.tsx'
import { ProgressIndicator } from '../progress-indicator.tsx'
import { LeasePart, PromptPart } from '../prompt-part.tsx'
import { ThoughtTrace } from '../thought-trace.tsx'
import { ToolCall } from '../tool-call.tsx'
import { UnknownEvent } from '../unknown-event.tsx'
import { UserNotice } from '../user-notice.tsx'
import { MessageArtifact } from './message-artifact.tsx'
import { MessageTasks } from './message-tasks.tsx'
import { SaidText } from './said-text.tsx'

/** What shows the parts of an answer beside its text. */
export const partComponents = {
  CitationBlock,
  DataBlock,
  LeasePart,
  MediaCarousel,
  MessageArtifact,
  MessageTasks,
  ProgressIndicator,
  PromptPart,
  SaidText,
  ThoughtTrace,
  ToolCall,
  UnknownEvent,
  UserNotice,
}

export type PartComponents = typeof partComponents
