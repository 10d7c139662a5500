'use client'
import type { ReactNode } from 'react'
import { useRef } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { IconButton } from '../internals/icon-button.tsx'

interface AttachButtonProps {
  readonly accept: string | undefined
  readonly onFiles: (files: Iterable<File>) => void
}

/** Opens the machine's own file dialog. */
export function AttachButton({ accept, onFiles }: AttachButtonProps): ReactNode {
  const { attach } = useDictionary().composer
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton icon="plus" size={20} label={attach} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={attach}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be chosen again after it was taken out.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
