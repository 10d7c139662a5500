'use client'

import {
  type ComponentPropsWithoutRef,
  type ForwardedRef,
  type KeyboardEvent,
  type ReactNode,
  forwardRef,
  useId,
  useImperativeHandle,
  useRef,
  useMemo,
  useState,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
} from 'react'
import { type PromptControls, usePrompt } from '../react/use-prompts.ts'
import { needsApproval, type PromptKind, type PromptState } from '../seam/prompt.ts'
import { shorten } from './error-details.tsx'
import { type AttributesOf, type PartAttributes, type RenderRoot, classNames, Root } from './internals/part.ts'
import { fileGuard } from './internals/file-guard.ts'
import { Icon } from './internals/icon.tsx'
import { useSheetCheck } from './internals/use-sheet-check.ts'
import { LiteralText } from './literal-value.tsx'
import { PromptStringsProvider, usePromptStrings } from './dictionary/prompt-strings-context.tsx'
import { isWorded, promptQuestion, type PromptCardStrings } from '../strings/prompts.ts'
import { useClock, useNow } from '../react/use-now.ts'
import type { PromptBodyProps } from './prompt-body/decision.tsx'
import { ApprovalCard } from './prompt-body/approval-card.tsx'
import { ChoiceCard } from './prompt-body/choice-card.tsx'
import { FormPrompt, UnknownPrompt } from './prompt-body/form-prompt.tsx'
import { PermissionPrompt } from './prompt-body/permission-prompt.tsx'
import { SignInCard } from './prompt-body/sign-in-card.tsx'
import type { AgentError } from '../base/agent-error.ts'
import type { AnswerResult } from '../state/chat-options.ts'
import { capMarks } from '../base/cap-marks.ts'
import { isElement } from '../base/node-page.ts'

const LONGEST_ERROR = 500

/** Errors of the agent that are shown. */
const MOST_ERRORS = 5

/** State of the answer of a prompt, where there is something to say. */
function PromptStatus({
  controls,
  refusal,
}: {
  readonly controls: PromptControls
  readonly refusal: AgentError | undefined
}): ReactNode {
  const strings = usePromptStrings().card
  const { prompt, repeat } = controls
  const tone = prompt.state === 'open' || prompt.state === 'unconfirmed' ? 'caution' : undefined
  const words = wordsOf(controls, refusal, strings)
  return (
    <div className="cs-prompt-status" role="status" data-tone={words === undefined ? undefined : tone}>
      {words !== undefined && (
        <>
          <Icon name={tone === undefined ? 'pending' : 'alert'} />
          <p>{words}</p>
          {repeat && (
            <button type="button" className="cs-button" data-kind="plain" onClick={() => void repeat()}>
              {strings.sendAgain}
            </button>
          )}
        </>
      )}
      {prompt.state === 'open' && errorsOf(controls).length > 0 && (
        <ul>
          {errorsOf(controls).map((message, index) => (
            // Two errors may have the same words.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={index} dir="auto">
              {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function wordsOf(
  { prompt }: PromptControls,
  refusal: AgentError | undefined,
  strings: PromptCardStrings,
): string | undefined {
  switch (prompt.state) {
    case 'open':
      if (prompt.errors !== undefined && prompt.errors.length > 0) return strings.refused
      return refusal === undefined ? undefined : strings.notSent
    case 'staged':
    case 'sending':
    case 'unconfirmed':
      return strings[prompt.state]
    default:
      return undefined
  }
}

/** Those that no field of a form shows. */
function errorsOf({ prompt: { errors = [], kind } }: PromptControls): readonly string[] {
  return errors
    .filter(({ path }) => kind !== 'form' || path === '')
    .slice(0, MOST_ERRORS)
    .map(({ message }) => capMarks(shorten(message, LONGEST_ERROR)))
}

const BODIES = {
  approval: ApprovalCard,
  choice: ChoiceCard,
  form: FormPrompt,
  'sign-in': SignInCard,
  permission: PermissionPrompt,
  other: UnknownPrompt,
}

/** What the user decides with, by the kind of the prompt. What was begun for one subject never ends as an answer to another. */
function PromptBody(props: PromptBodyProps): ReactNode {
  const { id, kind, subject } = props.controls.prompt
  const Body = BODIES[kind]
  return <Body key={subject?.digest ?? id} {...props} />
}

/** The `data-*` attributes of `PromptCard`. */
export const promptCardAttributes = {
  root: {
    selector: '.cs-prompt',
    attributes: {
      'data-kind': {
        values: ['approval', 'choice', 'form', 'sign-in', 'permission', 'other'],
        meaning: 'What the agent asks for',
      },
      'data-state': {
        values: ['open', 'staged', 'sending', 'unconfirmed'],
        meaning: 'State of the answer',
      },
      'data-ready': { values: 'present', meaning: 'When it takes an answer: it has not moved for 600 ms' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof promptCardAttributes>

/** Longest message that is shown whole, in UTF-16 code units. Nobody reads more before a decision. */
const LONGEST_MESSAGE = 4000

export interface PromptCardProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /** The prompt of the nearest chat to answer, by its id. Absent: that of `controls`. */
  readonly promptId?: string | undefined
  /** The prompt and the ways to answer it, of an agent outside of a chat. Absent: those of the chat. */
  readonly controls?: PromptControls | undefined
  /** Shown at the end of the header: "1 of 3". Absent: nothing. */
  readonly position?: ReactNode
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly state: PromptState }> | undefined
}

/** Kinds whose options can be taken. Of the others one that says no is not shown. */
const TAKES_OPTIONS: ReadonlySet<PromptKind> = new Set(['approval', 'choice', 'permission'])

/**
 * Renders a `<section>`: one prompt of the agent with the controls to answer it, under a header in the app's words. The agent's
 * sentence is a quotation in plain text. Nothing can be answered in the first 600 ms after it appears or moves, and it never takes the focus. It
 * renders nothing for a prompt that needs no answer any more.
 *
 * @example
 * ```tsx
 * import { usePrompts } from 'capstan/react'
 * import { PromptCard } from 'capstan/components'
 *
 * export const Questions = () => usePrompts().map(({ id }) => <PromptCard key={id} promptId={id} />)
 * ```
 */
export const PromptCard = forwardRef<HTMLElement, PromptCardProps>(function PromptCard(
  { promptId, controls, ...props },
  ref,
): ReactNode {
  return (
    <PromptStringsProvider>
      {controls !== undefined ? (
        <ShownCard {...props} controls={controls} cardRef={ref} />
      ) : (
        promptId !== undefined && <ChatCard {...props} promptId={promptId} cardRef={ref} />
      )}
    </PromptStringsProvider>
  )
})

interface CardProps extends Omit<PromptCardProps, 'promptId' | 'controls'> {
  readonly cardRef: ForwardedRef<HTMLElement>
}

function ChatCard({ promptId, ...props }: CardProps & { readonly promptId: string }): ReactNode {
  const controls = usePrompt(promptId)
  return controls && <ShownCard {...props} controls={controls} />
}

function ShownCard({ controls, ...props }: CardProps & { readonly controls: PromptControls }): ReactNode {
  const { id, state } = controls.prompt
  return isShown(state) ? <Card {...props} key={id} controls={controls} /> : null
}

type ShownState = NonNullable<Attributes['data-state']>

function isShown(state: PromptState): state is ShownState {
  return state === 'open' || state === 'staged' || state === 'sending' || state === 'unconfirmed'
}

/** The agent's text is a quotation; the app's is not. */
function Question({ isQuoted, children }: { readonly isQuoted: boolean; readonly children: ReactNode }): ReactNode {
  return isQuoted ? <blockquote className="cs-prompt-quote">{children}</blockquote> : children
}

function Card({
  controls: given,
  position,
  render,
  className,
  cardRef,
  ...rest
}: CardProps & { readonly controls: PromptControls }): ReactNode {
  const { card: strings, approval } = usePromptStrings()
  const { controls, refusal } = useAnswering(given)
  const { prompt } = controls
  const { kind, state, expiresAt, onExpiry } = prompt
  const root = useRef<HTMLElement>(null)
  useImperativeHandle(cardRef, () => root.current as HTMLElement)
  useSheetCheck(root)
  const { isReady, guard } = useArming(
    root,
    prompt.subject?.digest ?? prompt.id,
    state === 'open' || state === 'staged',
  )
  const headingId = useId()
  const messageId = useId()
  // Some agents state what they want to do, but not why: then the app asks in its own words, or the heading alone names the card.
  const question = promptQuestion(prompt, approval)
  // Escape stops the agent elsewhere in the chat: here it would take away the question with it.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    rest.onKeyDown?.(event)
    if (event.key === 'Escape') event.stopPropagation()
  }
  const canSayNo =
    TAKES_OPTIONS.has(kind) && prompt.options?.some((option) => option.kind.startsWith('reject')) === true
  const attributes: Attributes = {
    'data-kind': kind,
    'data-state': isShown(state) ? state : undefined,
    'data-ready': isReady ? '' : undefined,
  }
  const content = (
    <>
      <header className="cs-prompt-origin">
        <Icon>
          <path d="M10 3.25 4.5 5.25V10c0 3.25 2.25 5.5 5.5 6.75 3.25-1.25 5.5-3.5 5.5-6.75V5.25zM7.5 10l1.75 1.75L12.5 8.5" />
        </Icon>
        {/* It names the card, so that screen readers read it once. */}
        <span id={headingId} className="cs-grow" aria-hidden="true">
          {strings.headings[needsApproval(kind) ? 'approval' : 'question']}
        </span>
        {expiresAt !== undefined && <PromptTime until={expiresAt} />}
        {position}
      </header>
      <div className="cs-prompt-content">
        {question !== undefined && (
          <Question isQuoted={isWorded(prompt)}>
            <p id={messageId} className="cs-prompt-message" dir="auto">
              <LiteralText text={shorten(question, LONGEST_MESSAGE)} />
            </p>
          </Question>
        )}
        {expiresAt !== undefined && onExpiry !== 'unknown' && (
          <p className="cs-prompt-note">{strings.onExpiry[onExpiry]}</p>
        )}
        <div {...guard}>
          {state !== 'unconfirmed' && (
            <PromptBody
              controls={controls}
              isReady={isReady}
              isSending={state === 'sending'}
              decline={
                canSayNo ? null : (
                  <button type="button" className="cs-button" data-kind="plain" onClick={() => void controls.decline()}>
                    {strings.decline}
                  </button>
                )
              }
            />
          )}
        </div>
        <PromptStatus controls={controls} refusal={refusal} />
      </div>
    </>
  )
  return (
    <Root
      tag="section"
      render={render}
      root={{
        'aria-labelledby': headingId,
        'aria-describedby': question === undefined ? undefined : messageId,
        tabIndex: -1,
        ...rest,
        ...fileGuard(rest),
        onKeyDown,
        ...attributes,
        'aria-busy': state === 'sending' || undefined,
        className: classNames('cs-part cs-prompt', className),
        children: content,
      }}
      state={{ state }}
      rootRef={root}
    />
  )
}

/** How long a prompt can still be answered, ticking for eyes only. Only the agent says that it has ended. */
function PromptTime({ until }: { readonly until: number }): ReactNode {
  const strings = usePromptStrings().card
  const clock = useClock()
  useNow(true, 1000)
  const left = until - clock.date()
  return (
    <span className="cs-prompt-time" role="timer">
      {left > 0 ? strings.timeLeft(left) : strings.timeOver}
    </span>
  )
}

/** The same controls, and why the last answer was not sent. */
function useAnswering(controls: PromptControls): {
  readonly controls: PromptControls
  readonly refusal: AgentError | undefined
} {
  const [refusal, setRefusal] = useState<AgentError>()
  const watched = useMemo<PromptControls>(() => {
    const watch = async (answering: Promise<AnswerResult>): Promise<AnswerResult> => {
      setRefusal(undefined)
      const result = await answering
      setRefusal(result.status === 'refused' ? result.error : undefined)
      return result
    }
    const { prompt, choose, submit, confirm, decline, cancel, repeat } = controls
    return {
      prompt,
      choose: (optionId, edits) => watch(choose(optionId, edits)),
      submit: (value) => watch(submit(value)),
      confirm: () => watch(confirm()),
      decline: (reason) => watch(decline(reason)),
      cancel: () => watch(cancel()),
      repeat: repeat && (() => watch(repeat())),
    }
  }, [controls])
  return { controls: watched, refusal }
}

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
interface ArmingGuard {
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
function useArming(
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
