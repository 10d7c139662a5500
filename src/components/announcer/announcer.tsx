'use client'
import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import { useChatContext } from '../../hooks/chat-context.ts'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { Chat } from '../../state/chat-snapshot.ts'
import { BLINK_MS } from '../internals/reconnect-attempt.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useSheetCheck } from '../internals/use-sheet-check.ts'
import type { Boundary, Trouble } from './boundary.ts'
import { boundaryOf, isUnderWay, runOf, troubleOf } from './boundary.ts'

/** A line that comes and goes is told of no more often than this. */
const PAUSE_MS = 5000

/** The tokens of the sheet hold for the whole page. */
const hasTokens = (style: CSSStyleDeclaration): boolean => style.getPropertyValue('--cs-ink') !== ''

interface Told {
  readonly chat: Chat
  readonly boundary: Boundary | undefined
  readonly run: string | undefined
  readonly trouble: Trouble | undefined
  /** When trouble was last told of, or its end. */
  readonly at: number
  readonly text: string
  /** How many announcements there were: two regions take turns. */
  readonly turn: number
}

/**
 * The one voice of a chat for screen readers: always on the page, never seen. It tells when an answer
 * begins, begins again, ends or breaks off, and when the line is lost and found: that only if it lasts,
 * and at most once in five seconds. Never a word of an answer. Two statuses take turns, as a region
 * that is given the text it already has stays silent in most screen readers.
 */
export function Announcer(): ReactNode {
  const words = useDictionary().announce
  const root = useRef<HTMLDivElement>(null)
  useSheetCheck(root, 'capstan/styles.css', hasTokens)
  const chat = useChatContext()
  const boundary = useChatSelector(boundaryOf)
  const run = useChatSelector(runOf)
  const trouble = useChatSelector(({ connection }) => troubleOf(connection))
  // What stood there at the start is no news.
  const [told, setTold] = useState<Told>({ chat, boundary, run, trouble: undefined, at: -PAUSE_MS, text: '', turn: 0 })

  // Behind an answer a waiting message goes out at once: nobody has seen a chat that does nothing.
  const next = run !== told.run && run !== undefined && told.run !== undefined
  const completed = useChatSelector(({ messages }) => next && messages.some((message) => message.requestId === told.run && message.status === 'complete'))

  if (told.chat !== chat) setTold({ ...told, chat, boundary, run, trouble: undefined })
  else if (told.boundary !== boundary || told.run !== run) {
    const began = isUnderWay(told.boundary) && !next
    // An ending is news only after a beginning: old messages also come and go.
    const news = isUnderWay(boundary) && !began ? 'generating' : began && boundary !== told.boundary ? boundary : undefined
    setTold({
      ...told,
      boundary,
      run,
      // Whoever hears that an answer began again knows that the line is back.
      trouble: isUnderWay(boundary) && boundary !== 'restarted' ? told.trouble : undefined,
      ...(news && { text: `${completed ? `${words.complete}. ` : ''}${words[news]}`, turn: told.turn + 1 }),
    })
  }

  useEffect(() => {
    if (trouble === told.trouble) return
    const wait = Math.max(BLINK_MS, told.at + PAUSE_MS - performance.now())
    const timer = setTimeout(() => {
      // Having waited for a connection, or on purpose, is no loss that could be made good.
      const end = told.trouble === 'connecting' ? 'connected' : told.trouble === 'reconnecting' || told.trouble === 'offline' ? 'back' : undefined
      const news = trouble ?? (isUnderWay(told.boundary) ? end : undefined)
      setTold({ ...told, trouble, ...(news && { at: performance.now(), text: words[news], turn: told.turn + 1 }) })
    }, wait)
    return () => clearTimeout(timer)
  }, [trouble, told, words])

  return (
    <div ref={root} className="cs-part cs-hidden">
      {[0, 1].map((region) => (
        <p key={region} role="status">
          {told.turn % 2 === region && told.text}
        </p>
      ))}
    </div>
  )
}
