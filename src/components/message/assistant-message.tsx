'use client'

import {
  type MouseEvent,
  type ReactNode,
  useState,
  Fragment,
  memo,
  type ReactElement,
  useContext,
  Suspense,
} from 'react'
import { useChatStatus, useChatContext } from '../../react/chat-context.ts'
import type { ChatMessage, MessagePart, GapPart, TextPart } from '../../state/turn.ts'
import { CitationProvider, CitationContext } from '../citation-block/citation-provider.tsx'
import { collectCitations } from '../citation-block/collect-citations.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { SHOWN_AT_FIRST, ShowMore } from '../internals/folding.tsx'
import { MessageStatusRow, Dot } from '../internals/status-mark.tsx'
import { type PartGroup, groupParts, lastGroups, liveEnd } from './group-parts.ts'
import { keepFocus, StepButton } from '../internals/buttons.tsx'
import { isLiveStatus, isEmptyAnswer } from './live-status.ts'
import { MessageActions } from './message-actions.tsx'
import type { RenderPart, ToolRenderers } from './render-part.ts'
import { Countdown, useLongerThan } from '../internals/live-time.tsx'
import { useRetryNow, isDown, BLINK_MS } from '../internals/reconnect-attempt.ts'
import { TypingIndicator } from '../typing-indicator.tsx'
import { describeError, ErrorDetails } from '../error-details.tsx'
import { cutText, markSupported, withoutHalfMark } from '../citation-block/citation-marks.ts'
import { CitedText } from '../citation-block/cited-text.tsx'
import { GapMark } from '../gap-mark.tsx'
import type { MarkdownEngine, MarkdownTextProps, TextGap } from '../markdown-block/markdown-engine.ts'
import { useMarkdown, MarkdownBlock } from '../markdown-block/markdown-block.tsx'
import { classNames } from '../internals/part.ts'
import { sameMembers } from '../../base/equal-json.ts'
import type { ToolCallStatus } from '../../seam/agent-event.ts'
import { WarningNote } from '../warning-note.tsx'
import type { PromptState } from '../../seam/prompt.ts'
import { type ChatSnapshot, messageById } from '../../state/chat-snapshot.ts'
import { promptsOf } from '../../state/prompts.ts'
import { ReadingPositionContext } from '../internals/reading-position-context.ts'
import { useHydrated } from '../internals/use-hydrated.ts'
import type { PartComponents } from './part-components.tsx'
import { loadParts, usePartLoading } from './part-loading.ts'

interface TextFlowProps {
  readonly parts: readonly (TextPart | GapPart)[]
  readonly live: boolean
  readonly caret: boolean
  readonly renderPart: RenderPart | undefined
}

/** A constant element: a piece of text that did not change does not render again because of it. */
const CARET = <span className="cs-caret" aria-hidden="true" />

/** Running text with the marks of missing packets in it, as markdown, or as the agent wrote it where that is not wanted or not there yet. */
const TextFlow = memo(function TextFlow({ parts, live, caret, renderPart }: TextFlowProps): ReactNode {
  const { engine, renderers } = useMarkdown()
  const end = caret && CARET
  const own = parts.map((part) => renderPart?.(part, { live }))
  const lastOwn = own.findLastIndex((shown) => shown !== undefined)
  // With markdown, the caret is inside the last element.
  const within = engine && lastOwn < parts.length - 1
  // Text and gaps between two parts that the host renders form one markdown document.
  let run: (TextPart | GapPart)[] | undefined
  const shown: ReactElement[] = []
  for (const [at, part] of parts.entries()) {
    if (own[at] !== undefined) {
      run = undefined
      shown.push(<Fragment key={part.id}>{own[at]}</Fragment>)
    } else if (engine && run) run.push(part)
    else if (engine || part.type === 'text') {
      run = [part]
      shown.push(
        <Words
          key={part.id}
          parts={run}
          live={live}
          tail={at > lastOwn && end}
          engine={engine}
          renderers={renderers}
        />,
      )
    } else shown.push(<GapMark key={part.id} after={part.after} before={part.before} />)
  }
  return (
    <div className={classNames('cs-prose', !engine && 'cs-text')} dir="auto">
      {shown}
      {!within && end}
    </div>
  )
}, sameMembers)

interface WordsProps extends Omit<MarkdownTextProps, 'text' | 'gaps'> {
  readonly engine: MarkdownEngine | undefined
  readonly parts: readonly (TextPart | GapPart)[]
}

function Words({ engine, parts, ...rest }: WordsProps): ReactNode {
  const citations = useContext(CitationContext)?.citations ?? []
  const gaps: TextGap[] = []
  let text = ''
  for (const part of parts) {
    if (part.type === 'text') text += markSupported(part.text, citations)
    else gaps.push({ ...part, at: text.length })
  }
  if (engine) return <engine.Text {...rest} text={text} gaps={gaps} />
  // In pieces that stay the same while the text grows: a token renders the last of them and leaves the others alone.
  return cutText(rest.live ? withoutHalfMark(text) : text).map((piece, index) => (
    // Pieces come at the end and never change places.
    // oxlint-disable-next-line react/no-array-index-key
    <span key={index} className="cs-piece">
      <CitedText text={piece} />
    </span>
  ))
}

/** The end of an answer that still grows: dots while it says nothing, and the connection's trouble where it is felt. */
const LiveTail = memo(function LiveTail({ dots }: { readonly dots: boolean }): ReactNode {
  const strings = useDictionary().reconnection
  const chat = useChatContext()
  const { connection } = useChatStatus()
  const down = useLongerThan(isDown(connection), BLINK_MS)
  const { press, tooSoon } = useRetryNow(connection.nextRetryAt, () => void chat.retry().catch(() => {}))
  const queued = useLongerThan(connection.phase === 'queued', BLINK_MS)

  if (connection.phase === 'offline') return <MessageStatusRow icon="offline">{strings.offline}</MessageStatusRow>
  if (connection.phase === 'paused') {
    return (
      <MessageStatusRow icon="clock">
        <b className="cs-strong">{strings.paused}</b>
        <Dot />
        <StepButton onPress={() => chat.resume()}>{strings.resume}</StepButton>
      </MessageStatusRow>
    )
  }
  if (queued) return <MessageStatusRow icon="clock">{strings.queued}</MessageStatusRow>
  if (!down) return dots ? <TypingIndicator /> : null
  return (
    <MessageStatusRow icon="spin" tone="caution">
      <Countdown until={connection.nextRetryAt} hasOpened={connection.hasOpened} />
      {connection.phase === 'waiting' && (
        <>
          <Dot />
          <StepButton onPress={press}>{strings.retryNow}</StepButton>
        </>
      )}
      <span role="status">{tooSoon && strings.tooSoon}</span>
    </MessageStatusRow>
  )
})

interface AssistantMessageProps {
  readonly message: ChatMessage
  readonly renderPart: RenderPart | undefined
  readonly messageActions: ReactNode
  readonly tools: ToolRenderers | undefined
}

/**
 * An answer: its parts in order, then its sources, its outcome and its actions. Of an answer with very
 * many parts the last ones are shown, and those before them on request.
 */
export function AssistantMessage({ message, renderPart, messageActions, tools }: AssistantMessageProps): ReactNode {
  const { ending: strings } = useDictionary()
  // The answer to some prompts goes out with the next run: the task waits although its message has ended.
  const isAwaited = useChatStatus(({ status }) => status === 'awaiting-input')
  const live = isLiveStatus(message.status)
  const groups = groupParts(message.parts)
  const [limit, setLimit] = useState(SHOWN_AT_FIRST)
  const { shown, left } = lastGroups(groups, limit)
  const citations = collectCitations(message.parts)
  const sources = message.parts.filter(({ type }) => type === 'citations')
  // While the chat waits for the user, no other output is expected.
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

interface OwnPartsProps<Part extends MessagePart> {
  readonly parts: readonly Part[]
  readonly live: boolean
  readonly renderPart: RenderPart | undefined
  /** Shows together what the host leaves to capstan. */
  readonly children: (left: readonly Part[]) => ReactNode
}

/** Parts that capstan shows together, behind those of them that the host shows itself. A renderer that fails leaves them all to capstan. */
function CustomizableParts<Part extends MessagePart>(props: OwnPartsProps<Part>): ReactNode {
  return (
    <ErrorBoundary resetKeys={[props.live]} fallback={props.children(props.parts)}>
      <Shown {...props} />
    </ErrorBoundary>
  )
}

function Shown<Part extends MessagePart>({ parts, live, renderPart, children }: OwnPartsProps<Part>): ReactNode {
  const left: Part[] = []
  const own: ReactNode[] = []
  for (const part of parts) {
    const shown = renderPart?.(part, { live })
    if (shown === undefined) left.push(part)
    else own.push(<Fragment key={part.id}>{shown}</Fragment>)
  }
  return (
    <>
      {own}
      {left.length > 0 && children(left)}
    </>
  )
}

/**
 * How an answer ended when it did not end well: incomplete, stopped or broken off. The last message has
 * its next step too; elsewhere it would drop the later messages.
 */
function MessageEnding({ message }: { readonly message: ChatMessage }): ReactNode {
  const dictionary = useDictionary()
  const strings = dictionary.ending
  const chat = useChatContext()
  const last = useChatStatus(({ messages }) => messages.at(-1)?.id === message.id)
  const attempts = useChatStatus(({ connection }) => (connection.phase === 'failed' ? connection.requests : 0))
  const step = (label: string, action: (id: string) => Promise<unknown>): ReactNode =>
    last && <StepButton onPress={() => action(message.id)}>{label}</StepButton>

  if (message.status === 'incomplete') {
    const isCut = message.error === undefined || message.error.code === 'truncated'
    return (
      <MessageStatusRow icon="cut" tone="caution">
        <b className="cs-strong">{isEmptyAnswer(message) ? strings.failedEmpty : strings.incomplete}</b>
        <span>
          {message.error && !isCut
            ? `${describeError(message.error, dictionary, attempts).title}.`
            : strings.incompleteText}
        </span>
        {step(strings.continue, chat.retry)}
      </MessageStatusRow>
    )
  }
  if (message.status === 'stopped') {
    return (
      <MessageStatusRow icon="stop">
        <b className="cs-strong">{strings[message.stop ?? 'stopped']}</b>
        {last && <Dot />}
        {step(dictionary.message.regenerate, chat.regenerate)}
      </MessageStatusRow>
    )
  }
  if (message.status === 'failed') {
    const code = message.error?.agentCode ?? message.error?.code
    return (
      <MessageStatusRow icon="fatal" tone="error">
        <b className="cs-strong">{isEmptyAnswer(message) ? strings.failedEmpty : strings.failed}</b>
        {last && <Dot />}
        {step(strings.tryAgain, chat.retry)}
        {code && <ErrorDetails facts={[code]} />}
      </MessageStatusRow>
    )
  }
  return null
}

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
  // Without its own prompt it shares the state of the chat.
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
              onRetry={
                live
                  ? undefined
                  : () => {
                      const { metadata } = messageById(chat.getSnapshot().messages, messageId) ?? {}
                      chat.regenerate(messageId, { metadata }).catch(() => {})
                    }
              }
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

interface LoadedPartProps {
  /** Shows the part with its component. */
  readonly children: (components: PartComponents) => ReactNode
}

/**
 * A part of an answer whose code a page fetches with its first transcript. Nothing until that is here, and a row that tries
 * again where it cannot be had. What a server sent of it stays: a transcript keeps the row, and a message in none suspends.
 */
function LoadedPart(props: LoadedPartProps): ReactNode {
  const isInTranscript = useContext(ReadingPositionContext) !== undefined
  const part = <Part {...props} />
  return isInTranscript ? part : <Suspense fallback={null}>{part}</Suspense>
}

function Part({ children }: LoadedPartProps): ReactNode {
  const isHydrated = useHydrated()
  const loading = usePartLoading()
  if (typeof loading === 'object') return children(loading)
  if (loading === 'failed') return <NotLoaded />
  // oxlint-disable-next-line typescript/only-throw-error -- how a component suspends in every version of React
  if (!isHydrated) throw loadParts()
  return null
}

function NotLoaded(): ReactNode {
  const { error, ending } = useDictionary()
  return (
    <MessageStatusRow icon="alert" tone="caution">
      <span>{error.broken}</span>
      <StepButton onPress={loadParts}>{ending.tryAgain}</StepButton>
    </MessageStatusRow>
  )
}
