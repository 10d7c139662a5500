'use client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import type { ChatSnapshot } from '../../state/chat-snapshot.ts'
import { BLINK_MS, isDown } from '../connection-status/line-trouble.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { useLongerThan } from '../use-longer-than.ts'

type Boundary = 'quiet' | 'generating' | 'complete' | 'stopped' | 'incomplete' | 'failed' | 'notSent'

function boundaryOf({ status, messages }: ChatSnapshot): Boundary {
  if (status === 'submitted' || status === 'streaming') return 'generating'
  switch (messages.at(-1)?.status) {
    case 'complete':
      return 'complete'
    case 'stopped':
      return 'stopped'
    case 'incomplete':
      return 'incomplete'
    case 'failed':
      return 'failed'
    case 'not-sent':
      return 'notSent'
    default:
      return status === 'error' ? 'failed' : 'quiet'
  }
}

/**
 * The one voice of a chat for screen readers: a status, always on the page and never seen, that tells
 * when an answer begins, ends, breaks off, or the line is lost and found. Never tokens.
 */
export function Announcer(): ReactNode {
  const words = useDictionary().announce
  const boundary = useChatSelector(boundaryOf)
  const offline = useChatSelector(({ connection }) => connection.phase === 'offline')
  const down = useLongerThan(useChatSelector(({ connection }) => isDown(connection)), BLINK_MS)
  const line = offline ? 'offline' : down ? 'reconnecting' : 'up'

  // What stood there at the start is no news; after that, whatever changed last is.
  const [told, setTold] = useState<{ boundary: Boundary; line: string; text: string }>({ boundary, line, text: '' })
  if (told.boundary !== boundary) {
    setTold({ boundary, line, text: boundary === 'quiet' ? '' : words[boundary] })
  } else if (told.line !== line) {
    const text = line === 'up' ? (boundary === 'generating' ? words.back : told.text) : words[line]
    setTold({ boundary, line, text })
  }
  return (
    <div className="cs-part cs-hidden cs-announcer" role="status" aria-live="polite">
      {told.text}
    </div>
  )
}
