'use client'

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useChatContext, useChatStatus } from '../react/chat-context.ts'
import type { ChatInstance } from '../state/chat.ts'
import { BLINK_MS, isDown } from './internals/reconnect-attempt.ts'
import { describeError } from './error-details.tsx'
import { useDictionary, useLang } from './dictionary/dictionary-context.tsx'
import { useSheetCheck } from './internals/use-sheet-check.ts'
import type { Connection } from '../session/connection.ts'
import { type ChatSnapshot, isRunning } from '../state/chat-snapshot.ts'
import { undecidedPrompts } from '../state/prompts.ts'
import { needsApproval } from '../seam/prompt.ts'
import { isEmptyAnswer } from './message/live-status.ts'

/** Shortest time between two announcements of the connection, in milliseconds. */
const PAUSE_MS = 5000

interface Told {
  readonly chat: ChatInstance
  readonly boundary: Boundary | undefined
  readonly run: string | undefined
  readonly trouble: Trouble | undefined
  /** Time of the last announcement that the connection was lost or restored. */
  readonly at: number
  readonly text: string
  /** Number of announcements so far: it selects which of the two live regions gets the text. */
  readonly turn: number
}

/**
 * Renders a visually hidden `<div>` with two live regions that take turns, because a region that is given the text it
 * already has stays silent in most screen readers. It tells when an answer begins, begins again, ends or breaks off,
 * and when the connection is lost and restored: those two only if the loss lasts, and at most once in five seconds. It
 * never announces the text of an answer.
 *
 * @example
 * ```tsx
 * import { Announcer, Composer, MessageList } from 'capstan/components'
 *
 * export const Desk = () => (
 *   <>
 *     <MessageList />
 *     <Composer />
 *     <Announcer />
 *   </>
 * )
 * ```
 */
export function Announcer(): ReactNode {
  const dictionary = useDictionary()
  const { announce: strings } = dictionary
  const root = useRef<HTMLDivElement>(null)
  useSheetCheck(root)
  const chat = useChatContext()
  const snapshot = useChatStatus()
  const { messages, connection } = snapshot
  const boundary = boundaryOf(snapshot)
  const run = runIdOf(snapshot)
  const cause = messages.at(-1)?.error
  const trouble = troubleOf(connection)
  const attempts = connection.phase === 'failed' ? connection.requests : 0
  // The state at mount is not announced.
  const [told, setTold] = useState<Told>({ chat, boundary, run, trouble: undefined, at: -PAUSE_MS, text: '', turn: 0 })

  // A queued message is sent as soon as the answer before it ends: the chat is never idle between the two.
  const next = run !== told.run && run !== undefined && told.run !== undefined
  const completed = next && messages.some((message) => message.requestId === told.run && message.status === 'complete')

  if (told.chat !== chat) setTold({ ...told, chat, boundary, run, trouble: undefined })
  else if (told.boundary !== boundary || told.run !== run) {
    // A stop is announced when it is known what became of it, so that it is announced once.
    const began = (isAnswering(told.boundary) || told.boundary === 'cancelling' || isAsking(told.boundary)) && !next
    // An end is announced only after its start was seen: older messages can be added and removed too.
    const end = began && boundary !== told.boundary && boundary !== 'cancelling' ? boundary : undefined
    const news =
      isAnswering(boundary) && !(began && isAnswering(told.boundary))
        ? 'generating'
        : isAsking(boundary) && (boundary !== told.boundary || next)
          ? boundary
          : end
    // A FATAL error has a banner that announces why.
    const why =
      isBroken(end) && cause && cause.severity !== 'FATAL'
        ? `. ${describeError(cause, dictionary, attempts).title}`
        : ''
    setTold({
      ...told,
      boundary,
      run,
      // The announcement that an answer began again already says that the connection is restored.
      trouble: isAnswering(boundary) && boundary !== 'restarted' ? told.trouble : undefined,
      ...(news && {
        text: `${completed ? `${strings.complete}. ` : ''}${strings[news]}${why}`,
        turn: told.turn + 1,
      }),
    })
  }

  useEffect(() => {
    if (trouble === told.trouble) return
    const wait = Math.max(BLINK_MS, told.at + PAUSE_MS - performance.now())
    const timer = setTimeout(() => {
      // Waiting for a first or a free connection, or a pause on purpose, is not a lost connection that can be restored.
      const end =
        told.trouble === 'connecting'
          ? 'connected'
          : told.trouble === 'reconnecting' || told.trouble === 'offline'
            ? 'back'
            : undefined
      const news = trouble ?? (isAnswering(told.boundary) ? end : undefined)
      setTold({ ...told, trouble, ...(news && { at: performance.now(), text: strings[news], turn: told.turn + 1 }) })
    }, wait)
    return () => clearTimeout(timer)
  }, [trouble, told, strings])

  return (
    <div ref={root} lang={useLang()} className="cs-part cs-hidden">
      {[0, 1].map((region) => (
        <p key={region} role="status">
          {told.turn % 2 === region && told.text}
        </p>
      ))}
    </div>
  )
}

/** State of the newest answer, as far as it is announced. */
type Boundary =
  | 'generating'
  | 'asked'
  | 'approval'
  | 'restarted'
  | 'complete'
  | 'cancelling'
  | 'stopped'
  | 'left'
  | 'incomplete'
  | 'failed'
  | 'noResponse'
  | 'notSent'
  | 'mayHaveArrived'

function boundaryOf({ status, messages }: ChatSnapshot): Boundary | undefined {
  const last = messages.at(-1)
  if (status === 'awaiting-input') return isApprovalAwaited(messages) ? 'approval' : 'asked'
  if (status === 'submitted' || status === 'streaming') return last?.restarted ? 'restarted' : 'generating'
  switch (last?.status) {
    case 'stopped':
      return last.stop === 'cancelling' || last.stop === 'left' ? last.stop : 'stopped'
    case 'failed':
    case 'incomplete':
      return isEmptyAnswer(last) ? 'noResponse' : last.status
    case 'complete':
      return last.status
    case 'not-sent':
      return last.error?.code === 'delivery_unknown' ? 'mayHaveArrived' : 'notSent'
    default:
      return status === 'error' ? 'noResponse' : undefined
  }
}

/** Whether the prompt that is shown first asks the user to allow something. */
function isApprovalAwaited(messages: ChatSnapshot['messages']): boolean {
  const [first] = undecidedPrompts(messages).filter(({ prompt }) => prompt.state !== 'sending')
  return first !== undefined && needsApproval(first.prompt.kind)
}

/** The id of the active run. */
export function runIdOf(snapshot: ChatSnapshot): string | undefined {
  if (!isRunning(snapshot)) return undefined
  const { messages } = snapshot
  return messages.at(-1)?.requestId ?? messages.findLast(({ role }) => role === 'user')?.id
}

/** Whether an answer is being generated. */
function isAnswering(boundary: Boundary | undefined): boolean {
  return boundary === 'generating' || boundary === 'restarted'
}

/** Whether the agent waits for the user. */
function isAsking(boundary: Boundary | undefined): boundary is 'asked' | 'approval' {
  return boundary === 'asked' || boundary === 'approval'
}

/** Whether the answer ended without its own end. */
function isBroken(boundary: Boundary | undefined): boolean {
  return boundary === 'incomplete' || boundary === 'failed' || boundary === 'noResponse'
}

/** Trouble of the connection that is announced when it lasts. */
type Trouble = 'connecting' | 'reconnecting' | 'offline' | 'queued' | 'paused'

function troubleOf(connection: Connection): Trouble | undefined {
  const { phase, hasOpened } = connection
  if (phase === 'offline' || phase === 'queued' || phase === 'paused') return phase
  return isDown(connection) ? (hasOpened ? 'reconnecting' : 'connecting') : undefined
}
