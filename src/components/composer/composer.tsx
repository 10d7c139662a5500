'use client'
import type { ComponentPropsWithoutRef, KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { forwardRef, useContext, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useChat } from '../../hooks/chat-context.ts'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import { describeError } from '../error-banner/describe-error.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { classNames } from '../part.ts'
import type { Draft } from './draft.ts'
import { createDraft } from './draft.ts'
import { DraftContext } from './draft-context.ts'
import { isComposing } from './is-composing.ts'

export interface ComposerProps extends Omit<ComponentPropsWithoutRef<'form'>, 'children'> {
  readonly placeholder?: string | undefined
  /** The text to write in. Default: the one of the `Chat` around, or one of its own. */
  readonly draft?: Draft | undefined
  /** Controls at the start of the lower row: attach a file, choose a model. */
  readonly start?: ReactNode
  /** Props for the text box itself. */
  readonly textareaProps?: Omit<ComponentPropsWithoutRef<'textarea'>, 'value' | 'defaultValue'> | undefined
}

/**
 * The box to write in. Enter sends, Shift and Enter break the line, Escape stops the answer; Stop takes
 * the place of Send while one runs, and writing goes on meanwhile. What could not be sent comes back.
 * `data-running`, `data-empty`.
 */
export const Composer = forwardRef<HTMLFormElement, ComposerProps>(function Composer(props, ref): ReactNode {
  const { placeholder, draft: given, start, textareaProps, className, onSubmit, onKeyDown, ...rest } = props
  const dictionary = useDictionary()
  const words = dictionary.composer
  const chat = useChat()
  const running = useChatSelector(({ status }) => status === 'submitted' || status === 'streaming')
  const begun = useChatSelector(({ messages }) => messages.length > 0)

  const around = useContext(DraftContext)
  const [own] = useState(() => createDraft())
  const draft = given ?? around ?? own
  const { text, refusal } = useSyncExternalStore(draft.subscribe, draft.getSnapshot, draft.getSnapshot)
  const [hasty, setHasty] = useState(false)
  if (hasty && !running) setHasty(false)

  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => draft.onFocusWanted(() => box.current?.focus()), [draft])

  const send = (): void => {
    if (running) {
      setHasty(text.trim() !== '')
      return
    }
    draft.send(chat)
  }
  const stop = (): void => void chat.stop().catch(() => {})

  const submit: ComponentPropsWithoutRef<'form'>['onSubmit'] = (event): void => {
    onSubmit?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    send()
    box.current?.focus()
  }
  const press = (event: KeyboardEvent<HTMLFormElement>): void => {
    onKeyDown?.(event)
    if (event.defaultPrevented || isComposing(event)) return
    if (event.key === 'Escape' && running) {
      event.preventDefault()
      stop()
    }
    if (event.key === 'Enter' && !event.shiftKey && event.target === box.current) {
      event.preventDefault()
      if (!event.repeat) send()
    }
  }
  const click = (event: MouseEvent<HTMLButtonElement>): void => {
    // The second half of a double click on Send falls on Stop, which stands in the same place.
    if (running && event.detail <= 1) stop()
  }

  const empty = text.trim() === ''
  const noteId = useId()
  const note =
    refusal === undefined
      ? hasty
        ? words.busy
        : undefined
      : refusal === 'unknown'
        ? dictionary.error.app
        : describeError(refusal, dictionary).title
  return (
    // The keys of everything in the form come here; the form itself is not a control.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      aria-label={words.label}
      {...rest}
      ref={ref}
      onSubmit={submit}
      onKeyDown={press}
      className={classNames('cs-part cs-composer', className)}
      data-running={running ? '' : undefined}
      data-empty={empty ? '' : undefined}
    >
      <div className="cs-composer-grow" data-text={text}>
        <textarea
          rows={1}
          aria-label={words.label}
          enterKeyHint="send"
          dir="auto"
          placeholder={placeholder ?? (begun ? words.reply : words.placeholder)}
          aria-describedby={note ? noteId : undefined}
          {...textareaProps}
          ref={box}
          className={classNames('cs-composer-text', textareaProps?.className)}
          value={text}
          onChange={(event) => {
            draft.write(event.currentTarget.value)
            setHasty(false)
            textareaProps?.onChange?.(event)
          }}
        />
      </div>
      <p className="cs-composer-note" role="status" id={noteId}>
        {note}
      </p>
      <div className="cs-composer-row">
        {start}
        <span className="cs-grow" />
        <button
          type={running ? 'button' : 'submit'}
          className="cs-send"
          aria-label={running ? words.stop : words.send}
          title={running ? words.stop : words.send}
          // Not `disabled`: a button that is switched off under the finger loses the focus.
          aria-disabled={!running && empty ? true : undefined}
          onClick={click}
        >
          <Icon name={running ? 'stop' : 'up'} size={20} />
        </button>
      </div>
    </form>
  )
})
