'use client'
import { useEffect, useReducer, useState } from 'react'
import type { ChatMessage } from '../../state/conversation/message.ts'
import { indexes } from './indexes.ts'
import type { ReadingPositionTracker } from './reading-position.ts'
import type { RowWindow } from './row-window.ts'

/** Rows at the end of a long log that are there before its window does: in the server's page, and while code is on its way. */
const FIRST_ROWS = 30

export interface Rows {
  /** Indexes of the messages to mount, ascending. */
  readonly rows: readonly number[]
  /** What measures the rows, and knows the space of those left out; absent while none are. */
  readonly rowWindow: RowWindow | undefined
}

/**
 * All messages, or those around the reader when there are more than `limit`. The code for that is fetched only then;
 * where it cannot be had, all messages are mounted.
 */
export function useRows(messages: readonly ChatMessage[], place: ReadingPositionTracker, limit: number): Rows {
  const [rowWindow, setRowWindow] = useState<RowWindow>()
  const [failed, fail] = useReducer(() => true, false)
  const [, render] = useReducer((count: number) => count + 1, 0)
  const long = messages.length > limit

  useEffect(() => {
    if (!long) return
    let made: RowWindow | undefined
    let left = false
    const open = async (): Promise<void> => {
      const { createRowWindow } = await import('./row-window.ts')
      const { view } = place
      if (left || !view) return
      made = createRowWindow({ view, onChange: render })
      setRowWindow(made)
    }
    open().catch(fail)
    return () => {
      left = true
      made?.dispose()
      setRowWindow(undefined)
    }
  }, [long, place])

  // What is mounted stays so until all of it has been measured, as long as that is not too much at once.
  const known = messages.findIndex(({ id }) => id === place.shown?.firstRow)
  const from = known < 0 || messages.length - known > limit + FIRST_ROWS ? messages.length - FIRST_ROWS : known
  return { rows: rowWindow?.rows(messages, from) ?? indexes(long && !failed ? from : 0, messages.length), rowWindow }
}
