'use client'

import type { ReactNode } from 'react'
import { CitationBlock } from '../citation-block/citation-block.tsx'
import { DataBlock } from '../data-block.tsx'
import { MediaCarousel } from '../media-carousel.tsx'
import { ProgressIndicator, type ProgressStep } from '../progress-indicator.tsx'
import { LeasePart, PromptPart } from '../prompt-part.tsx'
import { ThoughtTrace } from '../thought-trace.tsx'
import { ToolCall } from '../tool-call.tsx'
import { UnknownEvent } from '../unknown-event.tsx'
import { UserNotice } from '../user-notice.tsx'
import type { MessagePart } from '../../state/turn.ts'
import { ArtifactCard } from '../artifact-card.tsx'
import { useOnDemand } from '../on-demand.ts'
import { taskComponents } from '../lazy-tasks.ts'
import { useChatStatus } from '../../react/chat-context.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import type { PartGroup } from './group-parts.ts'
import type { TaskStatus } from '../../seam/agent-event.ts'
import { capMarks } from '../../base/cap-marks.ts'
import { useDraft } from '../composer/draft.ts'
import { StepButton } from '../internals/buttons.tsx'

const STATUSES: Readonly<Record<TaskStatus, ProgressStep['status']>> = {
  submitted: 'pending',
  working: 'running',
  'input-required': 'waiting',
  'auth-required': 'waiting',
  completed: 'complete',
  canceled: 'cancelled',
  failed: 'failed',
  rejected: 'rejected',
  unknown: 'unknown',
}

/** The step of each task part, so that a row whose part has not changed does not render again. */
const steps = new WeakMap<TaskPart, ProgressStep>()

interface MessageTasksProps {
  readonly tasks: Extract<PartGroup, { readonly type: 'tasks' }>['parts']
  readonly live: boolean
}

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

interface MessageArtifactProps {
  readonly part: Extract<MessagePart, { readonly type: 'artifact' }>
  readonly live: boolean
}

/** An artifact of an answer. The code that shows what is in it is fetched with the first that holds something. */
function MessageArtifact({ part, live }: MessageArtifactProps): ReactNode {
  const { artifactId, url, mimeType, artifactType, name, version, size, text, bytes, data } = part
  const hasContent = text !== undefined || data !== undefined
  const code = useOnDemand(taskComponents, hasContent)
  const state = part.state === 'growing' ? (live ? 'writing' : 'unfinished') : 'ready'
  const shown = { artifactId, url, mimeType, artifactType, name, version, size, text, bytes, data, state } as const
  return code && hasContent ? <code.ArtifactView {...shown} /> : <ArtifactCard {...shown} />
}

type TaskPart = Extract<MessagePart, { readonly type: 'task' }>

/** A task as a row of `ProgressIndicator`. `untitled` is its name when the agent gives none. */
export function stepOfTask(part: TaskPart, untitled: string): ProgressStep {
  const { id, title, status, detail } = part
  const label = title ?? untitled
  const known = steps.get(part)
  if (known?.label === label) return known
  const step = { id, label, status: STATUSES[status], detail }
  steps.set(part, step)
  return step
}

/** The tasks of an answer: as steps until the code of their cards is here, or where it cannot be had. */
function MessageTasks({ tasks, live }: MessageTasksProps): ReactNode {
  const { progress } = useDictionary()
  // The answer to some prompts goes out with the next run: the task waits although its message has ended.
  const isAwaited = useChatStatus(({ status }) => status === 'awaiting-input')
  const code = useOnDemand(taskComponents, true)
  const toStep = (part: MessageTasksProps['tasks'][number]): ProgressStep => {
    const step = stepOfTask(part, progress.task)
    // The user has answered, or the run has ended without an answer.
    return step.status === 'waiting' && !isAwaited ? { ...step, status: 'pending' } : step
  }
  const steps = <ProgressIndicator steps={tasks.map(toStep)} live={live} />
  return code ? <code.TaskRows tasks={tasks} live={live} isAwaited={isAwaited} fallback={steps} /> : steps
}

/** A message that the user sent into the running answer, at its place in it, and whether the agent has received it. */
function SaidText({ text, status }: Extract<MessagePart, { readonly type: 'said' }>): ReactNode {
  const strings = useDictionary().message
  const draft = useDraft()
  return (
    <div className="cs-said" role="group" aria-label={strings.you}>
      <div className="cs-bubble cs-text" dir="auto">
        {capMarks(text)}
      </div>
      <p className="cs-meta" role="status">
        {status === 'sending' ? strings.sending : status === 'sent' ? strings.received : strings.unconfirmed}
      </p>
      {status === 'not-sent' && <StepButton onPress={() => draft.edit(text)}>{strings.edit}</StepButton>}
    </div>
  )
}
