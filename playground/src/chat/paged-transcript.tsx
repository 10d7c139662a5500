import type { ReactNode } from 'react'
import { useState } from 'react'
import { MessageList } from 'capstan/components'
import { useChatContext } from 'capstan/react'
import type { History } from '../history.ts'

/** A transcript that asks for older messages when the reader comes near its start. */
export function PagedTranscript({ history }: { readonly history: History }): ReactNode {
  const chat = useChatContext()
  const [left, setLeft] = useState(history.left)
  const [loading, setLoading] = useState(false)
  const load = async (): Promise<void> => {
    setLoading(true)
    chat.prepend(await history.older())
    setLeft(history.left)
    setLoading(false)
  }
  return (
    <MessageList
      onReachStart={left > 0 ? () => void load() : undefined}
      start={
        <p className="pg-earlier" role="status">
          {loading
            ? 'Loading earlier messages…'
            : left > 0
              ? `${left.toLocaleString('en')} earlier messages`
              : 'Start of conversation'}
          {loading && (
            <progress className="pg-progress" max={history.total} value={history.total - left} aria-label="Loaded" />
          )}
        </p>
      }
    />
  )
}
