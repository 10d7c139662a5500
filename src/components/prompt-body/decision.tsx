'use client'

import { type ComponentPropsWithoutRef, type ReactNode, forwardRef, type MouseEvent, useState } from 'react'
import { type RenderRoot, classNames, Root } from '../internals/part.ts'
import type { PromptOption } from '../../seam/prompt.ts'
import type { PromptControls } from '../../react/use-prompts.ts'

export interface DecisionProps extends PromptBodyProps, Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Replaces the root element; receives the props to spread. @default the part's root element */
  readonly render?: RenderRoot | undefined
}

/** The root element of what a user decides with. */
export const DecisionRoot = forwardRef<HTMLDivElement, DecisionProps & { readonly children: ReactNode }>(
  function DecisionRoot(
    { controls: _controls, isReady: _isReady, isSending: _isSending, decline: _decline, render, className, ...rest },
    ref,
  ): ReactNode {
    return (
      <Root
        tag="div"
        render={render}
        root={{ tabIndex: -1, ...rest, className: classNames('cs-part cs-decision', className) }}
        state={undefined}
        rootRef={ref}
      />
    )
  },
)

/** The way from an option to an answer: one that allows more than this one time is shown with what it grants first. */
export interface Decision {
  /** The option that is shown with what it grants. Undefined: none is. */
  readonly asked: PromptOption | undefined
  /** Takes an option, or shows what it grants. */
  take(option: PromptOption): void
  /** Takes an option of which the user sees what it grants. */
  choose(option: PromptOption): void
  /** Takes the option that is shown. */
  commit(event: MouseEvent): void
  back(): void
}

/** @param edits the input as the user changed it. Undefined: unchanged */
export function useDecision({ controls, isReady, isSending }: PromptBodyProps, edits?: unknown): Decision {
  const [askedId, setAskedId] = useState<string>()
  const asked = controls.prompt.options?.find(({ id }) => id === askedId)
  const choose = ({ id }: PromptOption): void => {
    if (isReady && !isSending) void controls.choose(id, edits)
  }
  return {
    asked,
    choose,
    take(option) {
      if (option.kind === 'allow-always') setAskedId(option.id)
      else choose(option)
    },
    commit(event) {
      // The second click of a double click was meant for the button that was here before.
      if (asked !== undefined && event.detail < 2) choose(asked)
    },
    back: () => setAskedId(undefined),
  }
}

/** What the body of a prompt gets from the card around it. */
export interface PromptBodyProps {
  /** The prompt and the actions that answer it, as `usePrompt` returns them. */
  readonly controls: PromptControls
  /**
   * Whether the user may answer now: the prompt is open, and has not moved for long enough to be read. While false, all controls
   * look as usual and do nothing: the card takes care of that, so the body need not disable anything for it.
   */
  readonly isReady: boolean
  /** The answer is on its way. The card blocks all other answers. */
  readonly isSending: boolean
  /** The button that declines, for the start of the row of actions; null where an option of the prompt says no. */
  readonly decline: ReactNode
}
