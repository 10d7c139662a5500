'use client'

import {
  type ComponentPropsWithoutRef,
  type KeyboardEvent,
  type ReactNode,
  forwardRef,
  useSyncExternalStore,
  useRef,
  memo,
} from 'react'
import { useChatContext, useChatStatus } from '../../react/chat-context.ts'
import { useLatest } from '../../react/use-latest.ts'
import { usePrompts } from '../../react/use-prompts.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { isRunning } from '../../state/chat-snapshot.ts'
import { useOffline } from '../internals/use-hydrated.ts'
import { ComposerBox } from './composer-box.tsx'
import { type Draft, useDraft, type OnAttach } from './draft.ts'
import { isComposing, isEscapeTaken } from './is-composing.ts'
import { openEditor } from './open-editor.ts'
import { IconButton } from '../internals/buttons.tsx'
import { AgentError } from '../../base/agent-error.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { JsonSchema, Prompt } from '../../seam/prompt.ts'
import type { ChatInstance } from '../../state/chat.ts'
import { ACCEPTED } from '../../state/chat-options.ts'
import { asksCredential } from '../schema-form/asks-credential.ts'
import { undecidedPrompts } from '../../state/prompts.ts'
import type { OutgoingMessage } from '../../state/turn.ts'
import { Icon } from '../internals/icon.tsx'

/** A message as one line of text. */
function summaryOf({ text, files = [] }: OutgoingMessage): string {
  return text || files.map((file) => (typeof file === 'string' ? file : (file.name ?? file.id))).join(', ')
}

/** Takes back every question that waits for the user, so that what is queued can go out when the agent has ended. */
function cancelPrompts(chat: ChatInstance): void {
  for (const { prompt } of undecidedPrompts(chat.getSnapshot().messages))
    if (prompt.state !== 'sending') void chat.answer(prompt.id, { type: 'cancel' })
}

/** Messages queued behind the answer. After a failure or a stop they are sent only by the user. */
const QueuedMessages = memo(function QueuedMessages({
  draft,
  running,
}: {
  readonly draft: Draft
  readonly running: boolean
}): ReactNode {
  const strings = useDictionary().composer
  const chat = useChatContext()
  const { queued, status } = useChatStatus()
  if (queued.length === 0) return null
  const toBox = (): void => draft.edit('')
  return (
    <ul className="cs-queue" aria-label={strings.queue}>
      {queued.map(({ id, message }) => {
        const summary = summaryOf(message)
        return (
          <li key={id} className="cs-queued">
            <Icon name="clock" />
            <span className="cs-clip cs-grow" dir="auto">
              {summary}
            </span>
            {status === 'awaiting-input' ? (
              <span className="cs-meta">{strings.awaiting}</span>
            ) : running ? (
              <span className="cs-meta">{strings.queued}</span>
            ) : (
              <button
                type="button"
                className="cs-button"
                data-kind="link"
                onClick={() => {
                  const taken = chat.discard(id)
                  toBox()
                  if (!taken) return
                  const takeBack = (): void => draft.edit(taken)
                  chat
                    .sendMessage(taken, { whenBusy: 'queue' })
                    .then(({ status }) => (status === 'refused' ? takeBack() : undefined), takeBack)
                }}
              >
                {strings.sendNow}
              </button>
            )}
            <IconButton icon="edit" label={strings.take(summary)} onClick={() => draft.edit(chat.discard(id) ?? '')} />
            <IconButton
              icon="x"
              label={strings.remove(summary)}
              onClick={() => {
                chat.discard(id)
                toBox()
              }}
            />
          </li>
        )
      })}
      {status === 'awaiting-input' && (
        <li className="cs-queued">
          <button type="button" className="cs-button" data-kind="link" onClick={() => cancelPrompts(chat)}>
            {strings.cancelAndSend}
          </button>
        </li>
      )}
    </ul>
  )
})

/** A question that any text answers. */
interface FreeTextQuestion {
  readonly prompt: Prompt
  /** The one field of the form. Undefined: the text itself is the value. */
  readonly field: string | undefined
}

/** What a schema of plain text has: with anything else, such as a pattern, the form checks the value. */
const PLAIN = new Set(['type', 'title', 'description', 'examples', 'default', '$schema', '$id', '$comment'])
const OBJECT = new Set([...PLAIN, 'properties', 'required', 'additionalProperties'])

/**
 * The question that the composer can answer: the only prompt that waits, a form of one text without further rules. Prompts of consent,
 * and questions for a password or a key, are never among them.
 */
function freeTextQuestion(prompts: readonly Prompt[]): FreeTextQuestion | undefined {
  const [prompt, ...others] = prompts
  if (prompt?.kind !== 'form' || prompt.state !== 'open' || others.length > 0) return undefined
  const { schema, subject, message } = prompt
  if (schema === undefined || subject !== undefined || asksCredential(message)) return undefined
  if (isPlainText(schema)) return { prompt, field: undefined }
  const { type, properties } = schema
  if (type !== 'object' || !isJsonObject(properties) || !hasOnly(schema, OBJECT)) return undefined
  const [entry, ...rest] = Object.entries(properties)
  if (entry === undefined || rest.length > 0) return undefined
  const [field, fieldSchema] = entry
  return isJsonObject(fieldSchema) && isPlainText(fieldSchema) && !asksCredential(field) ? { prompt, field } : undefined
}

function isPlainText(schema: JsonSchema): boolean {
  const { minLength = 0, ...rest } = schema
  // The composer sends no empty text.
  if (rest.type !== 'string' || (minLength !== 0 && minLength !== 1) || !hasOnly(rest, PLAIN)) return false
  return !asksCredential(...[rest.title, rest.description].filter((text) => typeof text === 'string'))
}

function hasOnly(schema: JsonSchema, keys: ReadonlySet<string>): boolean {
  return Object.keys(schema).every((key) => keys.has(key))
}

/** Sends a message as the answer to the question. One that the agent did not take is refused, so that its text is not lost. */
function answerTo(
  chat: Pick<ChatInstance, 'answer'>,
  { prompt, field }: FreeTextQuestion,
): Pick<ChatInstance, 'sendMessage'> {
  return {
    async sendMessage(message) {
      const text = typeof message === 'string' ? message : message.text
      const value = field === undefined ? text : { [field]: text }
      const result = await chat.answer(prompt.id, { type: 'value', value })
      switch (result.status) {
        case 'refused':
          return result
        case 'too-late':
        case 'invalid':
          return { status: 'refused', error: notTaken(result.status) }
        default:
          // One that is unconfirmed is repeated at the question, under the same id.
          return ACCEPTED
      }
    },
  }
}

function notTaken(status: 'too-late' | 'invalid'): AgentError {
  const message =
    status === 'too-late' ? 'The question has ended, so the answer was not sent.' : 'The agent refused the answer.'
  return new AgentError({ kind: 'protocol', code: 'invalid_request', severity: 'FATAL', message })
}

export interface ComposerProps extends Omit<ComponentPropsWithoutRef<'form'>, 'children'> {
  /** Placeholder. The default depends on whether the conversation has messages. @default from the dictionary */
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
   * What Enter does while an answer runs. `queue`: the message is sent when the answer is complete. `say`: it is sent into the
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
 * one runs, Stop takes the place of Send, and new messages are queued, or sent into the answer with `whenBusy`. Arrow up in the empty box opens the last message
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
  const running = useChatStatus(isRunning)
  const queues = useChatStatus(({ queued }) => queued.length > 0)
  const begun = useChatStatus(({ messages }) => messages.length > 0)
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

/** Whether a file fits an `accept` list, as a file dialog would have it: what is dropped or pasted meets no dialog. */
function isAccepted({ name, type }: File, accept: string | undefined): boolean {
  // Many kinds have no type on the reader's machine: those are the server's to judge.
  if (!accept || type === '') return true
  return accept.split(',').some((entry) => {
    const kind = entry.trim().toLowerCase()
    if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind)
    return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind
  })
}

interface AttachButtonProps {
  readonly accept: string | undefined
  readonly onFiles: (files: Iterable<File>) => void
}

/** Opens the machine's own file dialog. */
function AttachButton({ accept, onFiles }: AttachButtonProps): ReactNode {
  const { attach } = useDictionary().composer
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <IconButton icon="plus" size={20} label={attach} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={attach}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be chosen again after it was taken out.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
