'use client'
import type { RefObject } from 'react'
import { useEffect, useState } from 'react'
import { useLatest } from '../../react/use-latest.ts'

/**
 * Takes files dropped on `place`, or anywhere on the chat around it: otherwise the browser would open a file that is
 * dropped just beside the composer. Returns true while files are dragged over it. Without `onFiles` no files are
 * accepted.
 */
export function useFileDrop(
  place: RefObject<HTMLElement | null>,
  onFiles: ((files: Iterable<File>) => void) | undefined,
): boolean {
  const [over, setOver] = useState(false)
  const latest = useLatest(onFiles)
  const takes = onFiles !== undefined
  useEffect(() => {
    const target = place.current?.closest<HTMLElement>('.cs-chat') ?? place.current
    if (target === null || !takes) return
    const listening = new AbortController()
    const listen = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent, files: FileList) => void): void =>
      target.addEventListener(
        type,
        (event) => {
          const { dataTransfer } = event
          if (dataTransfer?.types.includes('Files')) act(event, dataTransfer.files)
        },
        { signal: listening.signal },
      )
    listen('dragover', (event) => {
      event.preventDefault()
      setOver(true)
    })
    listen('dragleave', ({ relatedTarget }) => {
      // Where the pointer goes is a node, or unknown.
      if (!target.contains(relatedTarget as Node | null)) setOver(false)
    })
    listen('drop', (event, files) => {
      event.preventDefault()
      setOver(false)
      latest.current?.(files)
    })
    return () => listening.abort()
  }, [place, takes, latest])
  return over
}
