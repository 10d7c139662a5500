'use client'
import type { ComponentPropsWithoutRef, KeyboardEvent, ReactNode } from 'react'
import { forwardRef } from 'react'
import { useChatContext } from '../../hooks/chat-context.ts'
import { useChatSelector } from '../../hooks/use-chat-selector.ts'
import { useLatest } from '../../hooks/use-latest.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { useOffline } from '../internals/use-offline.ts'
import { AttachButton } from './attach-button.tsx'
import { ComposerBox } from './composer-box.tsx'
import type { Draft } from './draft.ts'
import { useDraft } from './draft-context.ts'
import { isAccepted } from './is-accepted.ts'
import { isComposing } from './is-composing.ts'
import { isEscapeTaken } from './is-escape-taken.ts'
import { openEditor } from './message-editor.tsx'
import type { OnAttach } from './pending-attachment.ts'
import { QueuedMessages } from './queued-messages.tsx'

export interface ComposerProps extends Omit<ComponentPropsWithoutRef<'form'>, 'children'> {
  /** Stands in the empty box. Default: a word that fits whether anything was said yet. */
  readonly placeholder?: string | undefined
  /** The text and files to write in. Default: the draft of the chat around, which lives as long as the chat does. */
  readonly draft?: Draft | undefined
  /** Controls at the start of the lower row, after the one that attaches files: choose a model, a tool. */
  readonly start?: ReactNode
  /** Controls at the end of the lower row, before Send. */
  readonly end?: ReactNode
  /** Brings files to where the agent finds them. Absent: no button, and nothing is taken that is pasted or dropped. */
  readonly onAttach?: OnAttach | undefined
  /** Which files may be attached, as in `<input accept>`; others are refused with a word. */
  readonly accept?: string | undefined
  /** Largest file in bytes; larger ones are refused with a word, before `onAttach` hears of them. */
  readonly maxFileBytes?: number | undefined
  /** Whether Enter sends. Default: yes, except on touch screens, where it breaks the line. Ctrl or ⌘ with Enter always sends. */
  readonly submitOnEnter?: boolean | undefined
  /** Props for the text box itself. */
  readonly textareaProps?: Omit<ComponentPropsWithoutRef<'textarea'>, 'value' | 'defaultValue'> | undefined
}

/**
 * The box to write in. Enter sends, Shift and Enter break the line, Escape stops the answer. While one runs, Stop takes
 * the place of Send, and what is sent waits in line. Arrow up in the empty box opens the last message again. What could
 * not be sent comes back. `data-running`, `data-empty`, `data-over` (files hang over it).
 */
export const Composer = forwardRef<HTMLFormElement, ComposerProps>(function Composer(props, ref): ReactNode {
  const { placeholder, draft: given, start, onAttach, accept, maxFileBytes = Infinity, onKeyDown, ...rest } = props
  const { composer: words, artifact } = useDictionary()
  const chat = useChatContext()
  const running = useChatSelector(({ status }) => status === 'submitted' || status === 'streaming')
  const begun = useChatSelector(({ messages }) => messages.length > 0)
  const own = useDraft()
  const draft = given ?? own
  const offline = useOffline()

  const send = (): void => void draft.send(chat)
  const stop = (): void => void chat.stop().catch(() => {})
  const press = (event: KeyboardEvent<HTMLFormElement>): void => {
    onKeyDown?.(event)
    if (event.defaultPrevented || event.key !== 'Escape' || !running || isComposing(event) || isEscapeTaken(event.currentTarget)) return
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
      const refused = file.size > maxFileBytes ? words.tooLarge(artifact.size(maxFileBytes)) : isAccepted(file, accept) ? undefined : words.wrongType
      // Asked for when it is used, so that a retry meets the newest one. Whoever attached has one.
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
      placeholder={placeholder ?? (begun ? words.reply : words.placeholder)}
      note={offline && !running ? words.offline : undefined}
      above={<QueuedMessages draft={draft} running={running} />}
      onFiles={onFiles}
      onSend={send}
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
