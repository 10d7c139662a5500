'use client'

import { type ReactNode, memo, useState } from 'react'
import { useChatContext, useChatStatus } from '../../react/chat-context.ts'
import type { ToolCallStatus } from '../../seam/agent-event.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { MarkdownBlock } from '../markdown-block/markdown-block.tsx'
import { WarningNote } from '../warning-note.tsx'
import type { PartGroup } from './group-parts.ts'
import { LoadedPart } from './loaded-part.tsx'
import type { RenderPart } from './render-part.ts'
import type { ToolRenderers } from './tool-renderer.ts'
import type { PromptState } from '../../seam/prompt.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import type { MessagePart } from '../../state/message.ts'
import { promptsOf } from '../../state/prompts.ts'

/**
 * What a tool call with status `waiting` waits for. `asked`: the user. `sending`, `answered`: the agent, which has not confirmed or
 * not acted on the answer. `refused`: nothing, the user did not allow it.
 */
type CallPhase = 'asked' | 'sending' | 'answered' | 'refused'

const REFUSED: ReadonlySet<PromptState> = new Set(['declined', 'cancelled'])

/** The phase of a waiting tool call; undefined for any other part. */
function callPhase(part: MessagePart, { status, messages }: ChatSnapshot): CallPhase | undefined {
  if (part.type !== 'tool-call' || part.status !== 'waiting') return undefined
  const prompt = messages.flatMap(promptsOf).findLast(({ subject }) => subject?.toolCallId === part.id)
  // Without a prompt of its own it shares the state of the chat.
  if (prompt === undefined) return status === 'awaiting-input' ? 'asked' : 'answered'
  const { state, answer, options } = prompt
  if (state === 'open' || state === 'staged' || state === 'unconfirmed') return 'asked'
  const option = answer?.type === 'option' && options?.find(({ id }) => id === answer.optionId)
  const isRefusal =
    answer?.type === 'decline' || answer?.type === 'cancel' || (option && option.kind.startsWith('reject'))
  if (isRefusal || REFUSED.has(state)) return 'refused'
  return state === 'sending' ? 'sending' : 'answered'
}

/** How a waiting tool call is shown. */
const STATUSES: Readonly<Record<CallPhase, ToolCallStatus>> = {
  asked: 'waiting',
  sending: 'preparing',
  answered: 'preparing',
  refused: 'denied',
}

interface SinglePartProps {
  readonly part: Extract<PartGroup, { readonly type: 'single' }>['part']
  readonly messageId: string
  readonly live: boolean
  readonly renderPart: RenderPart | undefined
  readonly tools?: ToolRenderers | undefined
}

/** Renders one part inside its own error boundary. Memoised by the part, which stays the same object while nothing in it changes. */
export const SinglePart = memo(function SinglePart(props: SinglePartProps): ReactNode {
  const { part, live } = props
  return (
    <ErrorBoundary resetKeys={[live, 'status' in part && part.status]}>
      <PartContent {...props} />
    </ErrorBoundary>
  )
})

function PartContent({ part, messageId, live, renderPart, tools }: SinglePartProps): ReactNode {
  const chat = useChatContext()
  const [dismissed, setDismissed] = useState(false)
  const phase = useChatStatus((snapshot) => callPhase(part, snapshot))
  const isAwaited = useChatStatus(({ status }) => status === 'awaiting-input')
  const own = renderPart?.(part, { live })
  if (own !== undefined) return own
  switch (part.type) {
    case 'markdown':
      return <MarkdownBlock content={part.content} />
    case 'media':
      return <LoadedPart>{({ MediaCarousel }) => <MediaCarousel items={part.items} />}</LoadedPart>
    case 'artifact':
      return <LoadedPart>{({ MessageArtifact }) => <MessageArtifact part={part} live={live} />}</LoadedPart>
    case 'data':
      return <LoadedPart>{({ DataBlock }) => <DataBlock data={part.data} viewHint={part.viewHint} />}</LoadedPart>
    case 'notice':
      return (
        <LoadedPart>
          {({ UserNotice }) => (
            <UserNotice
              message={part.message}
              code={part.code}
              domain={part.domain}
              retryable={part.retryable}
              details={part.details}
              onRetry={live ? undefined : () => void chat.regenerate(messageId).catch(() => {})}
            />
          )}
        </LoadedPart>
      )
    case 'tool-call': {
      // The answer to some prompts goes out with the next run: the tool waits although its message has ended.
      const isLive = live || phase === 'sending' || (phase === 'asked' && isAwaited)
      const fallback = (
        <LoadedPart>
          {({ ToolCall }) => (
            <ToolCall
              name={part.name}
              status={phase === undefined ? part.status : STATUSES[phase]}
              input={part.input}
              partialInput={part.partialInput}
              output={part.output}
              live={isLive}
            />
          )}
        </LoadedPart>
      )
      const renderer = tools && Object.hasOwn(tools, part.name) ? tools[part.name] : undefined
      return renderer ? renderer.render({ part, messageId, live: isLive, fallback }) : fallback
    }
    case 'prompt':
      return <LoadedPart>{({ PromptPart }) => <PromptPart prompt={part.prompt} />}</LoadedPart>
    case 'lease':
      return <LoadedPart>{({ LeasePart }) => <LeasePart lease={part.lease} />}</LoadedPart>
    case 'said':
      return <LoadedPart>{({ SaidText }) => <SaidText {...part} />}</LoadedPart>
    case 'warning':
      return dismissed ? null : <WarningNote error={part.error} onDismiss={() => setDismissed(true)} />
    case 'unknown':
      return <LoadedPart>{({ UnknownEvent }) => <UnknownEvent name={part.name} raw={part.raw} />}</LoadedPart>
  }
}
