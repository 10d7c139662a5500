'use client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from '../internals/icon.tsx'

/** Leads to the end; a dot says that something came since the reader left it. Mounted only while the reader is further up. */
export function JumpButton({ onJump }: { readonly onJump: () => void }): ReactNode {
  const words = useDictionary().chat
  const last = useChatSelector((snapshot) => snapshot.messages.at(-1))
  const [left] = useState(last)
  const fresh = last !== left
  return (
    <button type="button" className="cs-jump" data-new={fresh ? '' : undefined} aria-label={fresh ? words.jumpNew : words.jump} onClick={onJump}>
      <Icon name="down" size={20} />
    </button>
  )
}
