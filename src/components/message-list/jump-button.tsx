'use client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useChatSelector } from '../../react/chat-context.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from '../internals/icon.tsx'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { messageListAttributes } from './message-list-attributes.ts'

type Attributes = AttributesOf<typeof messageListAttributes, 'the button to the end'>

/** Leads to the end; a dot says that something came since the reader left it. Mounted only while the reader is further up. */
export function JumpButton({ onJump }: { readonly onJump: () => void }): ReactNode {
  const strings = useDictionary().chat
  const last = useChatSelector((snapshot) => snapshot.messages.at(-1))
  const [left] = useState(last)
  const fresh = last !== left
  return (
    <button
      type="button"
      className="cs-jump"
      data-new={(fresh ? '' : undefined) satisfies Attributes['data-new']}
      aria-label={fresh ? strings.jumpNew : strings.jump}
      onClick={onJump}
    >
      <Icon name="down" size={20} />
    </button>
  )
}
