'use client'
import { useEffect, useRef } from 'react'
import { useLatest } from '../../react/use-latest.ts'
import type { FormDrafts } from './form-drafts.ts'
import type { FormEntries } from './model/form-entries.ts'
import { restoredEntries, storedEntries } from './model/form-entries.ts'
import type { FormField } from './model/form-field.ts'
import { readDraft, writeDraft } from './model/form-draft.ts'

interface DraftOptions {
  /** Undefined: nothing is stored. */
  readonly key: string | undefined
  readonly drafts: FormDrafts
  readonly form: FormField
  readonly start: FormEntries
  readonly entries: FormEntries
  readonly setEntries: (next: (before: FormEntries) => FormEntries) => void
  /** The value was handed over, and nothing has come back or was changed since. */
  readonly isDone: boolean
}

/** Keeps what was entered over a reload or another mount, and removes it when the form goes away after it was submitted. */
export function useFormDraft({ key, drafts, form, start, entries, setEntries, isDone }: DraftOptions): void {
  const latest = useLatest({ drafts, form, start, isDone })
  /** The key whose draft has been read: before that nothing is written over it. */
  const known = useRef<string>(undefined)
  useEffect(() => {
    if (key === undefined) return undefined
    let isOver = false
    const bringBack = async (): Promise<void> => {
      const { drafts, form, start } = latest.current
      const text = await attempt(() => drafts.read(key))
      if (isOver) return
      known.current = key
      const kept = text === undefined ? undefined : restoredEntries(form, start, readDraft(form, text))
      // What was entered since is newer.
      if (kept !== undefined) setEntries((now) => (now === start ? kept : now))
    }
    const end = (): void => {
      const { drafts, isDone } = latest.current
      if (isDone) void attempt(() => drafts.write(key, undefined))
    }
    void bringBack()
    return () => {
      isOver = true
      known.current = undefined
      end()
    }
  }, [key, latest, setEntries])
  useEffect(() => {
    if (key === undefined || known.current !== key) return
    const { drafts, form, start } = latest.current
    const text = entries === start ? undefined : writeDraft(form, storedEntries(form, entries), start)
    void attempt(() => drafts.write(key, text))
  }, [key, latest, entries])
}

async function attempt<Value>(act: () => Value | Promise<Value>): Promise<Value | undefined> {
  try {
    return await act()
  } catch {
    return undefined
  }
}
