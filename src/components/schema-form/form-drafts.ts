'use client'
import { useEffect, useRef } from 'react'
import { useLatest } from '../../react/use-latest.ts'
import type { FormEntries } from './model/form-entries.ts'
import { readDraft, restoredEntries, storedEntries, writeDraft } from './model/form-entries.ts'
import type { FormField } from './model/form-field.ts'

/** Where drafts of forms are stored. What fails is nobody's loss but the draft's: both functions may throw or reject. */
export interface FormDrafts {
  /** The text that was written last, or undefined. */
  readonly read: (key: string) => string | undefined | Promise<string | undefined>
  /** Undefined removes it. Called with every change of the form. */
  readonly write: (key: string, text: string | undefined) => void
}

const PREFIX = 'capstan-form:'

/** Drafts in the session storage: they outlive a reload, and end with the tab. */
export const tabDrafts: FormDrafts = {
  read: (key) => sessionStorage.getItem(PREFIX + key) ?? undefined,
  write(key, text) {
    if (text === undefined) sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, text)
  },
}

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
export function useFormDraft({ key, entries, setEntries, ...rest }: DraftOptions): void {
  const latest = useLatest(rest)
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
