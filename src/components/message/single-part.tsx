'use client'
import type { ReactNode } from 'react'
import { memo, useState } from 'react'
import { useChatContext } from '../../react/chat-context.ts'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import type { ToolCallStatus } from '../../seam/agent-event.ts'
import { ErrorBoundary } from '../error-boundary/error-boundary.tsx'
import { MarkdownBlock } from '../markdown-block/markdown-block.tsx'
import { WarningNote } from '../warning-note/warning-note.tsx'
import type { PartGroup } from './group-parts.ts'
import type { CallPhase } from './call-phase.ts'
import { callPhase } from './call-phase.ts'
import { LoadedPart } from './loaded-part.tsx'
import type { RenderPart } from './render-part.ts'
import type { ToolRenderers } from './tool-renderer.ts'

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
  const phase = useChatSelector((snapshot) => callPhase(part, snapshot))
  const isAwaited = useChatSelector(({ status }) => status === 'awaiting-input')
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
