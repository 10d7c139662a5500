'use client'

import {
  type ChangeEvent,
  type ClipboardEvent,
  type ComponentPropsWithoutRef,
  type KeyboardEvent,
  type ReactNode,
  forwardRef,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
  type RefObject,
} from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { describeError } from '../error-details.tsx'
import { useDictionary, useLang } from '../dictionary/dictionary-context.tsx'
import { Icon, iconOfType } from '../internals/icon.tsx'
import { StatusGlyph } from '../internals/status-mark.tsx'
import { IconButton } from '../internals/buttons.tsx'
import { classNames, type AttributesOf, type PartAttributes } from '../internals/part.ts'
import { fileGuard } from '../internals/file-guard.ts'
import { submitOnClick } from '../internals/submit-on-click.ts'
import { useHydrated } from '../internals/use-hydrated.ts'
import type { Draft, PendingAttachment } from './draft.ts'
import { isComposing } from './is-composing.ts'
import { useLatest } from '../../react/use-latest.ts'

/** Browsers type line by line into a text box, each line slower than the one before: 1,000 take Chrome seconds. */
const MOST_LINES = 50

/**
 * Puts text into a box the way typing does, where the browser lets us, so that Ctrl+Z leads back to what was there.
 * Setting `value` forgets all that was typed before, and is for what would take too long to type.
 */
function replaceText(box: HTMLTextAreaElement, text: string): void {
  if (box.matches(':focus') && text.split('\n', MOST_LINES + 1).length <= MOST_LINES) {
    box.select()
    // Deprecated, and the only way into the history of a text box. It may be missing, and it may refuse.
    // oxlint-disable-next-line typescript/no-deprecated
    if (box.ownerDocument.execCommand?.(text === '' ? 'delete' : 'insertText', false, text) && box.value === text)
      return
  }
  box.value = text
}

type Attributes = AttributesOf<typeof composerAttributes>

type BoxAttributes = AttributesOf<typeof composerAttributes, 'box'>

export interface ComposerBoxProps extends Omit<ComponentPropsWithoutRef<'form'>, 'children'> {
  readonly draft: Draft
  readonly placeholder?: string | undefined
  readonly submitOnEnter?: boolean | undefined
  readonly textareaProps?: Omit<ComponentPropsWithoutRef<'textarea'>, 'value' | 'defaultValue'> | undefined
  /** A hint below the upper edge, shown when the draft has no message of its own. */
  readonly note?: string | undefined
  /** What waits above the text. */
  readonly above?: ReactNode
  /** The lower row before the buttons that send. */
  readonly start?: ReactNode
  readonly end?: ReactNode
  /** An answer runs: Stop takes the place of Send, and what is sent meanwhile waits. */
  readonly onStop?: (() => void) | undefined
  /** Takes what is pasted or dropped. */
  readonly onFiles?: ((files: Iterable<File>) => void) | undefined
  readonly onSend: () => void
  /** Messages without files are sent into the running answer. */
  readonly says?: boolean | undefined
  /** Shown when that failed. */
  readonly notSaid?: string | undefined
  /** The question that what is sent answers. Absent: it is a message. */
  readonly question?: string | undefined
  /** Arrow up in a box with nothing in it. */
  readonly onArrowUp?: (() => void) | undefined
}

/** Touch keyboards have no Shift and Enter: there Enter breaks the line, and the button sends. */
function useTouch(): boolean {
  return useHydrated() && typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches
}

/** The form around a draft: its text, its files, its keys. */
export const ComposerBox = forwardRef<HTMLFormElement, ComposerBoxProps>(function ComposerBox(props, ref): ReactNode {
  const {
    draft,
    placeholder,
    submitOnEnter,
    textareaProps,
    note,
    above,
    start,
    end,
    onFiles,
    onSend,
    says,
    notSaid,
    onStop,
    question,
    onArrowUp,
    className,
    onSubmit,
    onKeyDown,
    ...rest
  } = props
  const dictionary = useDictionary()
  const strings = dictionary.composer
  const { text, attachments, news, refusal } = useSyncExternalStore(
    draft.subscribe,
    draft.getSnapshot,
    draft.getSnapshot,
  )
  const blank = text.trim() === '' && attachments.length === 0
  const touch = useTouch()
  const sendsOnEnter = submitOnEnter ?? !touch

  const form = useRef<HTMLFormElement>(null)
  // The form is mounted whenever the ref is set.
  useImperativeHandle(ref, () => form.current as HTMLFormElement, [])
  const box = useRef<HTMLTextAreaElement>(null)
  const toBox = (): void => box.current?.focus()
  useEffect(
    () =>
      draft.onFocusWanted(() => {
        const element = box.current
        if (element === null || element.matches(':focus')) return
        element.focus()
        element.setSelectionRange(element.value.length, element.value.length)
      }),
    [box, draft],
  )

  // The textarea is uncontrolled, so that its undo history stays complete.
  const [firstText] = useState(text)
  const shownDraft = useRef(draft)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    // Switching to another conversation must not become an undo step.
    if (shownDraft.current !== draft) element.value = text
    else if (element.value !== text) replaceText(element, text)
    shownDraft.current = draft
  }, [box, draft, text])

  const over = useFileDrop(form, onFiles)
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>): void => {
    textareaProps?.onPaste?.(event)
    const { files, types } = event.clipboardData
    // A spreadsheet puts text and a picture of the cells on the clipboard: only the text is pasted.
    if (
      event.defaultPrevented ||
      !onFiles ||
      files.length === 0 ||
      (types.includes('text/plain') && types.includes('text/html'))
    )
      return
    event.preventDefault()
    onFiles(files)
  }
  const write = (event: ChangeEvent<HTMLTextAreaElement>): void => {
    const { value } = event.currentTarget
    if (value !== draft.getSnapshot().text) draft.write(value)
    textareaProps?.onChange?.(event)
  }
  const press = (event: KeyboardEvent<HTMLFormElement>): void => {
    onKeyDown?.(event)
    if (event.defaultPrevented || isComposing(event) || event.target !== box.current) return
    const { key, ctrlKey, metaKey, shiftKey, altKey } = event
    if (key === 'Enter' && (ctrlKey || metaKey || (sendsOnEnter && !shiftKey))) {
      event.preventDefault()
      if (!event.repeat) onSend()
    }
    if (key === 'ArrowUp' && onArrowUp && blank && text === '' && !(ctrlKey || metaKey || shiftKey || altKey)) {
      event.preventDefault()
      onArrowUp()
    }
  }
  const submit: ComponentPropsWithoutRef<'form'>['onSubmit'] = (event): void => {
    onSubmit?.(event)
    if (event.defaultPrevented) return
    event.preventDefault()
    onSend()
    toBox()
  }

  const isAnswer = question !== undefined
  const sends = onStop ? strings.stop : isAnswer ? strings.sendAnswer : strings.send
  const noteId = useId()
  const questionId = useId()
  const said =
    refusal === undefined
      ? note
      : refusal === 'files'
        ? attachments.every(({ status }) => status === 'ready')
          ? note
          : strings.attachFirst
        : refusal === 'not-said'
          ? notSaid
          : refusal === 'unknown'
            ? dictionary.error.app
            : describeError(refusal, dictionary).title
  const told = {
    uploading: strings.fileUploading,
    ready: strings.fileReady,
    failed: (name: string) => strings.fileFailed(name, news?.reason ?? strings.attachFailed),
    removed: strings.fileRemoved,
  }
  return (
    // The keys of everything in the form come here; the form itself is not a control.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      lang={useLang()}
      aria-label={strings.label}
      {...rest}
      {...fileGuard(rest)}
      ref={form}
      onSubmit={submit}
      onKeyDown={press}
      className={classNames('cs-part cs-composer', className)}
      data-empty={(blank ? '' : undefined) satisfies Attributes['data-empty']}
      data-running={(onStop ? '' : undefined) satisfies Attributes['data-running']}
      data-over={(over ? '' : undefined) satisfies Attributes['data-over']}
    >
      <p className="cs-composer-note" role="status" id={noteId}>
        {said}
      </p>
      {isAnswer && (
        <p className="cs-hidden" id={questionId}>
          {capMarks(question)}
        </p>
      )}
      {above}
      {attachments.length > 0 && (
        <ul className="cs-files" aria-label={strings.attachments}>
          {attachments.map((attachment) => (
            <AttachmentChip
              {...attachment}
              key={attachment.key}
              remove={() => {
                // The button is removed with its file, so the focus moves to the text box.
                toBox()
                attachment.remove()
              }}
            />
          ))}
        </ul>
      )}
      <div className="cs-composer-grow" data-text={text satisfies BoxAttributes['data-text']}>
        <textarea
          rows={1}
          aria-label={isAnswer ? strings.answerLabel : (rest['aria-label'] ?? strings.label)}
          enterKeyHint={sendsOnEnter ? 'send' : 'enter'}
          // Empty, the placeholder runs as the page does.
          dir={blank ? undefined : 'auto'}
          placeholder={placeholder}
          aria-describedby={[said && noteId, isAnswer && questionId].filter(Boolean).join(' ') || undefined}
          {...textareaProps}
          ref={box}
          className={classNames('cs-composer-text', textareaProps?.className)}
          defaultValue={firstText}
          onChange={write}
          onPaste={paste}
        />
      </div>
      <div className="cs-composer-row">
        {start}
        <span className="cs-grow" />
        {end}
        {onStop && !blank && (
          <IconButton
            type="submit"
            icon="up"
            size={20}
            onClick={submitOnClick}
            label={isAnswer ? strings.sendAnswer : says && attachments.length === 0 ? strings.say : strings.sendNext}
          />
        )}
        <button
          type={onStop ? 'button' : 'submit'}
          className="cs-send"
          aria-label={sends}
          title={sends}
          // Not `disabled`: a button that becomes disabled while it is focused loses the focus.
          aria-disabled={!onStop && blank ? true : undefined}
          // Ignores the second click of a double click on Send, because Stop takes the place of Send.
          onClick={(event) => (onStop ? event.detail <= 1 && onStop() : submitOnClick(event))}
        >
          <Icon name={onStop ? 'stop' : 'up'} size={20} />
        </button>
      </div>
      {over && (
        <div className="cs-composer-drop">
          <Icon name="file" size={20} />
          <span>{strings.dropHere}</span>
        </div>
      )}
      <p className="cs-hidden" role="status">
        {over ? strings.dropHere : news && told[news.status](news.name)}
      </p>
    </form>
  )
})

/**
 * Takes files dropped on `place`, or anywhere on the chat around it: otherwise the browser would open a file that is
 * dropped just beside the composer. Returns true while files are dragged over it. Without `onFiles` no files are
 * accepted.
 */
function useFileDrop(
  place: RefObject<HTMLElement | null>,
  onFiles: ((files: Iterable<File>) => void) | undefined,
): boolean {
  const [over, setOver] = useState(false)
  const latest = useLatest(onFiles)
  const takes = onFiles !== undefined
  useEffect(() => {
    const target = place.current?.closest<HTMLElement>('.cs-chat') ?? place.current
    if (target === null || !takes) return
    const listening = new AbortController()
    const listen = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent, files: FileList) => void): void =>
      target.addEventListener(
        type,
        (event) => {
          const { dataTransfer } = event
          if (dataTransfer?.types.includes('Files')) act(event, dataTransfer.files)
        },
        { signal: listening.signal },
      )
    listen('dragover', (event) => {
      event.preventDefault()
      setOver(true)
    })
    listen('dragleave', ({ relatedTarget }) => {
      // Where the pointer goes is a node, or unknown.
      if (!target.contains(relatedTarget as Node | null)) setOver(false)
    })
    listen('drop', (event, files) => {
      event.preventDefault()
      setOver(false)
      latest.current?.(files)
    })
    return () => listening.abort()
  }, [place, takes, latest])
  return over
}

type FileAttributes = AttributesOf<typeof composerAttributes, 'files'>

type AttachmentChipProps = Pick<PendingAttachment, 'name'> & Partial<Omit<PendingAttachment, 'key' | 'sent'>>

/** A file of a message, sent or about to be: its name, and its size or the state of its upload. `data-state`. */
export function AttachmentChip({
  name,
  mimeType,
  size,
  status = 'ready',
  share,
  reason,
  retry,
  remove,
}: AttachmentChipProps): ReactNode {
  const { composer: strings, artifact, progress } = useDictionary()
  const facts = {
    ready: size === undefined ? '' : artifact.size(size),
    uploading: share === undefined ? '' : progress.share(share),
    failed: reason ?? strings.attachFailed,
  }
  const icon = { ready: iconOfType(mimeType), uploading: 'spin', failed: 'alert' } as const
  return (
    <li className="cs-file" data-state={status satisfies FileAttributes['data-state']}>
      <StatusGlyph name={icon[status]} />
      <bdi className="cs-clip">{name}</bdi>
      <small className="cs-meta cs-figures">{facts[status]}</small>
      {retry && <IconButton icon="retry" size={14} label={strings.retry(name)} onClick={retry} />}
      {remove && <IconButton icon="x" size={14} label={strings.remove(name)} onClick={remove} />}
    </li>
  )
}

/** The `data-*` attributes of `Composer`. */
export const composerAttributes = {
  root: {
    selector: '.cs-composer',
    attributes: {
      'data-running': { values: 'present', meaning: 'While an answer runs' },
      'data-empty': { values: 'present', meaning: 'While there is nothing to send' },
      'data-over': { values: 'present', meaning: 'While a file is dragged over it' },
    },
  },
  files: {
    selector: '.cs-file',
    attributes: {
      'data-state': { values: ['uploading', 'ready', 'failed'], meaning: 'The state of the upload' },
    },
  },
  box: {
    selector: '.cs-composer-grow',
    internal: true,
    attributes: {
      'data-text': { values: 'any', meaning: 'The text again, which makes the box as high as it is' },
    },
  },
} as const satisfies PartAttributes
