'use client'
import type { KeyboardEvent, MouseEvent, PointerEvent, RefObject, SyntheticEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { isElement } from '../base/node-page.ts'
import { useClock } from '../react/use-now.ts'

/** How long a card must not have moved before it takes an answer, in milliseconds. */
const ARMING_MS = 600
/** How often it is looked whether the card has moved. */
const CHECK_MS = 200
/** Less than this is rounding of the layout, in pixels. */
const TOLERANCE_PX = 2
/** Where no control gives an answer: fields, what an input is changed with, whatever shows more, and the way back. */
const GIVES_NO_ANSWER =
  '.cs-form-fields, .cs-form-summary, .cs-input-editor, .cs-choice-list, .cs-edits, .cs-cut, .cs-fold, .cs-back'

type Place = Pick<DOMRect, 'left' | 'bottom' | 'width'>

/** Handlers for the element whose controls give the answer. */
export interface ArmingGuard {
  onPointerDownCapture(event: PointerEvent): void
  onKeyDownCapture(event: KeyboardEvent): void
  onClickCapture(event: MouseEvent): void
  onSubmitCapture(event: SyntheticEvent): void
}

/**
 * Keeps a click or key that was meant for something else from giving consent: nothing in the guarded element answers until the card
 * has been in its place for {@link ARMING_MS}. A press must also begin after that, and a key that is held down counts once. What
 * gives no answer always acts: a form that grows while it is filled in moves the card, and must not lose a click on the next field.
 *
 * @param subject what the card shows; with another one it is armed again
 * @param isOpen whether an answer can be given at all
 */
export function useArming(
  card: RefObject<HTMLElement | null>,
  subject: string,
  isOpen: boolean,
): { readonly isReady: boolean; readonly guard: ArmingGuard } {
  const clock = useClock()
  const [armed, setArmed] = useState<string>()
  const place = useRef<Place>(undefined)
  /** Whether the press or key that is down now began on an armed card. */
  const pressedReady = useRef<boolean>(undefined)
  const isReady = isOpen && armed === subject

  useEffect(() => {
    place.current = placeOf(card.current)
    let stillSince = clock.now()
    let cancel = (): void => {}
    const check = (): void => {
      const now = placeOf(card.current)
      if (hasMoved(place.current, now)) {
        place.current = now
        stillSince = clock.now()
        setArmed(undefined)
      }
      const left = stillSince + ARMING_MS - clock.now()
      if (left <= 0) setArmed(subject)
      cancel = clock.after(left <= 0 ? CHECK_MS : Math.min(CHECK_MS, left), check)
    }
    check()
    return () => {
      cancel()
      setArmed(undefined)
    }
  }, [card, clock, subject])

  /** Whether the card is where it was when it was armed, looked at in this moment. */
  const takesAnswer = (): boolean => isReady && !hasMoved(place.current, placeOf(card.current))
  const block = (event: { preventDefault(): void; stopPropagation(): void }): void => {
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    isReady,
    guard: {
      onPointerDownCapture() {
        pressedReady.current = takesAnswer()
      },
      onKeyDownCapture(event) {
        if (!isPress(event.key) || !mayAnswer(event.target, event.key)) return
        pressedReady.current = takesAnswer() && !event.repeat
        if (!pressedReady.current) block(event)
      },
      onClickCapture(event) {
        const began = pressedReady.current
        pressedReady.current = undefined
        if (mayAnswer(event.target) && (began === false || !takesAnswer())) block(event)
      },
      onSubmitCapture(event) {
        if (mayAnswer(event.target) && !takesAnswer()) block(event)
      },
    },
  }
}

function placeOf(element: HTMLElement | null): Place | undefined {
  if (element === null) return undefined
  const { left, bottom, width } = element.getBoundingClientRect()
  return { left, bottom, width }
}

/** A card grows at its upper edge, above the controls; only the other edges tell that those have moved. */
function hasMoved(before: Place | undefined, after: Place | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after
  return (
    Math.abs(before.left - after.left) > TOLERANCE_PX ||
    Math.abs(before.bottom - after.bottom) > TOLERANCE_PX ||
    Math.abs(before.width - after.width) > TOLERANCE_PX
  )
}

function isPress(key: string): boolean {
  return key === 'Enter' || key === ' '
}

/** Whether an event on this element can give an answer. @param key the key that was pressed. Absent: none was */
function mayAnswer(target: EventTarget, key?: string): boolean {
  if (!isElement(target)) return true
  // Enter in a field submits its form. That of a text of several rows is a new row, and the editor's form gives no answer.
  const submits = key === 'Enter' && target.matches('input, select') && target.closest('.cs-input-editor') === null
  return submits || target.closest(GIVES_NO_ANSWER) === null
}
