'use client'

import {
  type ComponentPropsWithoutRef,
  type ReactNode,
  forwardRef,
  type MouseEvent,
  useState,
  useEffect,
  useId,
  useRef,
} from 'react'
import { type RenderRoot, classNames, Root } from '../internals/part.ts'
import type { PromptOption } from '../../seam/prompt.ts'
import type { PromptControls } from '../../react/use-prompts.ts'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { wordsOf } from './option-buttons.tsx'
import { grantTime, timeOf } from '../../strings/prompts.ts'
import { LiteralValue } from '../literal-value.tsx'

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
interface Decision {
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

/** The second step to an option that allows more than this one time: what it grants and for how long, then the button that does it. */
export function GrantStep({
  option,
  decision,
  isSaid,
}: Pick<GrantTextProps, 'option' | 'isSaid'> & { readonly decision: Decision }): ReactNode {
  const strings = usePromptStrings().approval
  const textId = useId()
  const back = useRef<HTMLButtonElement>(null)
  // The user has just used the button that this takes the place of.
  useEffect(() => back.current?.focus({ preventScroll: true }), [])
  return (
    <>
      <GrantText id={textId} option={option} isSaid={isSaid} />
      <div className="cs-prompt-actions">
        <button
          ref={back}
          type="button"
          className="cs-button cs-back"
          data-kind="plain"
          aria-describedby={textId}
          onClick={(event) => {
            // The button is removed, so the focus moves to what it is in.
            event.currentTarget.closest<HTMLElement>('.cs-decision')?.focus({ preventScroll: true })
            decision.back()
          }}
        >
          {strings.back}
        </button>
        <button
          type="button"
          className="cs-button"
          data-kind="primary"
          aria-describedby={textId}
          onClick={decision.commit}
        >
          {wordsOf(option, strings)}
        </button>
      </div>
    </>
  )
}

const LONGEST = 1_000

interface GrantTextProps {
  readonly option: PromptOption
  readonly id?: string
  /** What the prompt shows above is all that it allows, unless the agent says more. @default false */
  readonly isSaid?: boolean | undefined
}

/** What an option allows beyond this one time, as the agent says it, and for how long. */
export function GrantText({ option, id, isSaid = false }: GrantTextProps): ReactNode {
  const words = usePromptStrings()
  const { approval: strings, permission } = words
  const { kind, grants } = option
  const isMore = kind === 'allow-always' || grants !== undefined || typeof timeOf(option) === 'number'
  return (
    <div id={id} className="cs-grant">
      <p>
        <span>{`${isMore ? strings.grants : permission.duration} `}</span>
        <strong className="cs-strong">{grantTime(option, words)}</strong>
      </p>
      {grants === undefined ? (
        isMore && !isSaid && <p>{strings.grantsUnknown}</p>
      ) : (
        <>
          <p>{strings.grantsSaid}</p>
          <LiteralValue value={grants} limit={LONGEST} />
        </>
      )}
    </div>
  )
}
