import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { forwardRef } from 'react'
import type { RenderRoot } from '../internals/part.ts'
import { classNames, Root } from '../internals/part.ts'
import type { PromptBodyProps } from '../internals/prompt-body-props.ts'

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
