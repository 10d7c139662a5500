'use client'
import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import { focusedElement } from '../base/node-page.ts'

/**
 * Hands the focus on when an element goes that has it.
 *
 * @param selector what gets it: the first in the chat around, or else in the dock of prompts, in the order of the page
 */
export function useFocusHandover(ref: RefObject<HTMLElement | null>, selector: string): void {
  useLayoutEffect(() => {
    const element = ref.current
    const around = element?.closest('.cs-chat') ?? element?.closest('.cs-prompt-dock')
    return () => {
      if (!element?.contains(focusedElement(element))) return
      // What takes its place is there only after it has gone.
      queueMicrotask(() => around?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true }))
    }
  }, [ref, selector])
}
