'use client'
import type { ComponentPropsWithoutRef, KeyboardEvent, ReactNode } from 'react'
import { forwardRef, useSyncExternalStore } from 'react'
import { useChatContext } from '../../react/chat-context.ts'
import { useChatSelector } from '../../react/use-chat-selector.ts'
import { useLatest } from '../../react/use-latest.ts'
import { usePrompts } from '../../react/use-prompts.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { isRunning } from '../../state/is-running.ts'
import { useOffline } from '../internals/use-offline.ts'
import { AttachButton } from './attach-button.tsx'
import { ComposerBox } from './composer-box.tsx'
import type { Draft } from './draft.ts'
import { useDraft } from './draft-context.ts'
import { answerTo, freeTextQuestion } from './free-text.ts'
import { isAccepted } from './is-accepted.ts'
import { isComposing } from './is-composing.ts'
import { isEscapeTaken } from './is-escape-taken.ts'
import { openEditor } from './open-editor.ts'
import type { OnAttach } from './pending-attachment.ts'
import { QueuedMessages } from './queued-messages.tsx'

export interface ComposerProps extends Omit<ComponentPropsWithoutRef<'form'>, 'children'> {
  /** Shown in the empty box. The default fits whether or not anything was said yet. @default from the dictionary */
  readonly placeholder?: string | undefined
  /** The text and files it writes into. @default the draft of the chat */
  readonly draft?: Draft | undefined
  /**
   * Controls at the start of the lower row, after the one that attaches files: choose a model, a tool. Absent: nothing.
   */
  readonly start?: ReactNode
  /** Controls at the end of the lower row, before Send. Absent: nothing. */
  readonly end?: ReactNode
  /**
   * Uploads a file so that the agent can read it. Absent: no files: there is no button, and pasted or dropped files are
   * ignored.
   */
  readonly onAttach?: OnAttach | undefined
  /** Which files may be attached, as in `<input accept>`; others are refused with a message. @default every file */
  readonly accept?: string | undefined
  /** Largest file in bytes; larger ones are refused with a message, before `onAttach` is called with them. @default no limit */
  readonly maxFileBytes?: number | undefined
  /**
   * Whether Enter sends; where it does not, it breaks the line. Ctrl or ⌘ with Enter always sends.
   *
   * @default true, on touch screens false
   */
  readonly submitOnEnter?: boolean | undefined
  /**
   * What Enter does while an answer runs. `queue`: the message is sent when the answer is complete. `say`: it is said into the
   * running answer; where the agent cannot take that in, or with files, it is queued.
   *
   * @default 'queue'
   */
  readonly whenBusy?: 'queue' | 'say' | undefined
  /** Props for the text box itself. Absent: none. */
  readonly textareaProps?: Omit<ComponentPropsWithoutRef<'textarea'>, 'value' | 'defaultValue'> | undefined
}

/**
 * Renders a `<form>`: the box to write in. Enter sends, Shift and Enter break the line, Escape stops the answer. While
 * one runs, Stop takes the place of Send, and what is sent is queued, or said into it with `whenBusy`. Arrow up in the empty box opens the last message
 * again. A message that could not be sent is put back into the box. While the only prompt that waits asks for one text, what is
 * sent is the answer to it, and the box says so; prompts of consent are never answered here.
 *
 * @example
 * ```tsx
 * import { Composer, type OnAttach } from 'capstan/components'
 *
 * const onAttach: OnAttach = async (file) => {
 *   const response = await fetch('/api/files', { method: 'POST', body: file })
 *   return { id: await response.text() }
 * }
 * export const Box = () => <Composer placeholder="Ask about rivers" onAttach={onAttach} />
 * ```
 */
export const Composer = forwardRef<HTMLFormElement, ComposerProps>(function Composer(props, ref): ReactNode {
  const { placeholder, draft: given, start, onAttach, accept, maxFileBytes = Infinity, onKeyDown, ...others } = props
  const { whenBusy, ...rest } = others
  const { composer: strings, artifact } = useDictionary()
  const chat = useChatContext()
  const running = useChatSelector(isRunning)
  const queues = useChatSelector(({ queued }) => queued.length > 0)
  const begun = useChatSelector(({ messages }) => messages.length > 0)
  const own = useDraft()
  const draft = given ?? own
  const offline = useOffline()
  const note = offline && !running ? strings.offline : undefined

  // Files go with a message: an answer is text.
  const hasFiles = useSyncExternalStore(draft.subscribe, ...both(() => draft.getSnapshot().attachments.length > 0))
  const question = freeTextQuestion(usePrompts({ chat }))
  const asked = hasFiles ? undefined : question

  const send = (): void => void draft.send(asked ? answerTo(chat, asked) : chat, undefined, whenBusy)
  const stop = (): void => void chat.stop().catch(() => {})
  const press = (event: KeyboardEvent<HTMLFormElement>): void => {
    onKeyDown?.(event)
    if (
      event.defaultPrevented ||
      event.key !== 'Escape' ||
      !running ||
      isComposing(event) ||
      isEscapeTaken(event.currentTarget)
    )
      return
    event.preventDefault()
    stop()
  }
  const recall = (): void => {
    const { queued, messages } = chat.getSnapshot()
    const last = queued.at(-1) ?? messages.findLast(({ role }) => role === 'user')
    if (last === undefined) return
    if ('status' in last && last.status !== 'not-sent') {
      if (last.status === 'sent') openEditor(draft, last, true)
    } else draft.edit(chat.discard(last.id) ?? '')
  }

  const attach = useLatest(onAttach)
  const takeFiles = (files: Iterable<File>): void => {
    for (const file of files) {
      const refused =
        file.size > maxFileBytes
          ? strings.tooLarge(artifact.size(maxFileBytes))
          : isAccepted(file, accept)
            ? undefined
            : strings.wrongType
      // Reads the newest `onAttach` at each call, so that a retry uses it. It is set, because a file can only be
      // attached with it.
      draft.attach(file, async (...upload) => (attach.current as OnAttach)(...upload), refused)
    }
    draft.edit('')
  }
  const onFiles = onAttach && takeFiles
  return (
    <ComposerBox
      {...rest}
      ref={ref}
      draft={draft}
      placeholder={asked ? strings.answer : (placeholder ?? (begun ? strings.reply : strings.placeholder))}
      question={asked?.prompt.message}
      note={note}
      above={<QueuedMessages draft={draft} running={running} />}
      onFiles={onFiles}
      onSend={send}
      says={whenBusy === 'say'}
      notSaid={queues ? strings.notSaid : note}
      onArrowUp={recall}
      onKeyDown={press}
      onStop={running ? stop : undefined}
      start={
        <>
          {onFiles && <AttachButton accept={accept} onFiles={onFiles} />}
          {start}
        </>
      }
    />
  )
})

/** The snapshot of the page and that of the server. */
function both<Value>(read: () => Value): [() => Value, () => Value] {
  return [read, read]
}
