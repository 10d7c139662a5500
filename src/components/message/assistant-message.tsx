'use client'
import type { MouseEvent, ReactNode } from 'react'
import { useState } from 'react'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import type { ChatMessage } from '../../state/conversation/message.ts'
import { CitationProvider } from '../citation-block/citation-provider.tsx'
import { collectCitations } from '../citation-block/collect-citations.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ErrorBoundary } from '../error-boundary/error-boundary.tsx'
import { SHOWN_AT_FIRST, ShowMore } from '../internals/show-more.tsx'
import { MessageStatusRow } from '../internals/message-status-row.tsx'
import type { PartGroup } from './group-parts.ts'
import { groupParts, lastGroups, liveEnd } from './group-parts.ts'
import { keepFocus } from '../internals/keep-focus.ts'
import { LiveTail } from './live-tail.tsx'
import { isLiveStatus } from './live-status.ts'
import { LoadedPart } from './loaded-part.tsx'
import { MessageActions } from './message-actions.tsx'
import { MessageEnding } from './message-ending.tsx'
import { CustomizableParts } from './customizable-parts.tsx'
import type { RenderPart } from './render-part.ts'
import { SinglePart } from './single-part.tsx'
import { TextFlow } from './text-flow.tsx'
import type { ToolRenderers } from './tool-renderer.ts'

interface AssistantMessageProps {
  readonly message: ChatMessage
  readonly renderPart: RenderPart | undefined
  readonly messageActions: ReactNode
  readonly tools: ToolRenderers | undefined
}

/**
 * An answer: what came, in order, then its sources, how it ended, and what can be done with it. Of an answer with very
 * many parts the last ones are shown, and those before them on request.
 */
export function AssistantMessage({ message, renderPart, messageActions, tools }: AssistantMessageProps): ReactNode {
  const { ending: strings } = useDictionary()
  // The answer to some prompts goes out with the next run: the task waits although its message has ended.
  const isAwaited = useChatSelector(({ status }) => status === 'awaiting-input')
  const live = isLiveStatus(message.status)
  const groups = groupParts(message.parts)
  const [limit, setLimit] = useState(SHOWN_AT_FIRST)
  const { shown, left } = lastGroups(groups, limit)
  const citations = collectCitations(message.parts)
  const sources = message.parts.filter(({ type }) => type === 'citations')
  // While the chat waits for the user, nothing else is on its way.
  const end = live && !isAwaited ? liveEnd(groups) : undefined
  const lastFlow = groups.findLast((group) => group.type === 'flow')
  const last = groups.findLast(({ type }) => type !== 'single')

  const showMore = (event: MouseEvent<HTMLElement>): void => {
    if (left <= SHOWN_AT_FIRST) keepFocus(event)
    setLimit(limit + SHOWN_AT_FIRST)
  }

  const show = (group: PartGroup): ReactNode => {
    switch (group.type) {
      case 'flow': {
        const flow = { parts: group.parts, live, caret: end === 'text' && group === lastFlow }
        return (
          // If the host's renderer throws, the text is rendered without it.
          <ErrorBoundary key={group.id} resetKeys={[live]} fallback={<TextFlow {...flow} renderPart={undefined} />}>
            <TextFlow {...flow} renderPart={renderPart} />
          </ErrorBoundary>
        )
      }
      case 'thoughts':
        return (
          <CustomizableParts key={group.id} parts={group.parts} live={live} renderPart={renderPart}>
            {(thoughts) => (
              <LoadedPart>
                {({ ThoughtTrace }) => (
                  <ThoughtTrace
                    thoughts={thoughts}
                    live={live && isThinking(thoughts.at(-1), group === last && !isAwaited)}
                    failed={message.status === 'failed' && thoughts.at(-1)?.status === 'running'}
                    durationMs={group === groups[0] ? thoughtTime(message) : undefined}
                  />
                )}
              </LoadedPart>
            )}
          </CustomizableParts>
        )
      case 'steps':
        return (
          <CustomizableParts key={group.id} parts={group.parts} live={live} renderPart={renderPart}>
            {(steps) => (
              <LoadedPart>{({ ProgressIndicator }) => <ProgressIndicator steps={steps} live={live} />}</LoadedPart>
            )}
          </CustomizableParts>
        )
      case 'tasks':
        return (
          <CustomizableParts key={group.id} parts={group.parts} live={live} renderPart={renderPart}>
            {(tasks) => <LoadedPart>{({ MessageTasks }) => <MessageTasks tasks={tasks} live={live} />}</LoadedPart>}
          </CustomizableParts>
        )
      case 'single':
        return (
          <SinglePart
            key={group.id}
            part={group.part}
            messageId={message.id}
            live={live}
            renderPart={renderPart}
            tools={tools}
          />
        )
    }
  }

  return (
    <CitationProvider citations={citations} live={live}>
      {message.restarted && (
        <MessageStatusRow icon="retry">
          <b className="cs-strong">{strings.restarted}</b>
          <span>{strings.restartedText}</span>
        </MessageStatusRow>
      )}
      {left > 0 && <ShowMore left={left} onShow={showMore} />}
      {shown.map(show)}
      {live ? <LiveTail dots={end === 'nothing'} /> : <MessageEnding message={message} />}
      {sources.length > 0 && (
        <CustomizableParts parts={sources} live={live} renderPart={renderPart}>
          {/* One list with one count: without some of them the numbers in the text would lead astray. */}
          {(left) =>
            left.length === sources.length && (
              <LoadedPart>{({ CitationBlock }) => <CitationBlock citations={citations} compact={live} />}</LoadedPart>
            )
          }
        </CustomizableParts>
      )}
      <MessageActions message={message} messageActions={messageActions} />
    </CitationProvider>
  )
}

/** A thought without a status counts as running while it is the last part. */
function isThinking(
  thought: { readonly status?: 'running' | 'complete' | undefined } | undefined,
  last: boolean,
): boolean {
  return thought?.status === 'running' || (last && thought?.status !== 'complete')
}

/** Time from the question to the first text: the duration of a thought at the start of an answer. */
function thoughtTime({ createdAt, firstTextAt }: ChatMessage): number | undefined {
  return createdAt === undefined || firstTextAt === undefined ? undefined : Math.max(0, firstTextAt - createdAt)
}
