'use client'

import {
  type ComponentPropsWithoutRef,
  type ReactNode,
  forwardRef,
  memo,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import { useChatMessage, useChatContext } from '../../react/chat-context.ts'
import { type ChatMessage, textOf } from '../../state/turn.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf } from '../internals/part.ts'
import { AssistantMessage, SinglePart } from './assistant-message.tsx'
import { isLiveStatus } from './live-status.ts'
import type { RenderPart, ToolRenderers } from './render-part.ts'
import { type messageAttributes, MessageActions } from './message-actions.tsx'
import { isUnfocused } from '../../base/node-page.ts'
import { AttachmentChip } from '../composer/composer-box.tsx'
import { type MessageDraft, useDraft } from '../composer/draft.ts'
import { messageEditor } from '../composer/open-editor.ts'
import { useOnDemand } from '../on-demand.ts'
import { Dot, MessageStatusRow } from '../internals/status-mark.tsx'
import { groupParts } from './group-parts.ts'
import { StepButton } from '../internals/buttons.tsx'

type Attributes = AttributesOf<typeof messageAttributes>

export interface MessageProps extends Omit<ComponentPropsWithoutRef<'article'>, 'children'> {
  /** The `id` of a message of the chat around. A message that is gone renders nothing. */
  readonly messageId: string
  /** Shows parts of it in your own way. Keep the function stable. @default the part's component */
  readonly renderPart?: RenderPart | undefined
  /**
   * The actions of the message, in place of capstan's own: `CopyAction`, `EditAction`, `RetryAction`, `FeedbackAction` and controls of
   * your own, which read the message with `useMessage`. Null: none. Keep the element stable.
   *
   * @default copy, edit and regenerate
   */
  readonly messageActions?: ReactNode
  /**
   * How calls of tools are shown, by the name of the tool, with `tool` of `capstan/components`. Keep the object stable.
   *
   * @default `ToolCall`
   */
  readonly tools?: ToolRenderers | undefined
  /**
   * Puts the message on an element of your own: spread the props, read `state.message`.
   *
   * @default the part's root element
   */
  readonly render?: RenderRoot<{ readonly message: ChatMessage }> | undefined
}

/**
 * Renders an `<article>`: one message, subscribed to itself alone, so that a token that arrives in one message renders
 * no other. An answer under way is `aria-busy`.
 *
 * @example
 * ```tsx
 * import { Message } from 'capstan/components'
 * import { useChatSelector } from 'capstan/react'
 *
 * export function LastMessage() {
 *   const id = useChatSelector(({ messages }) => messages.at(-1)?.id)
 *   return id === undefined ? null : <Message messageId={id} />
 * }
 * ```
 */
export const Message = memo(
  forwardRef<HTMLElement, MessageProps>(function Message(
    { messageId, renderPart, messageActions, tools, render, className, ...rest },
    ref,
  ): ReactNode {
    const strings = useDictionary().message
    const message = useChatMessage(messageId)
    if (!message) return null
    const label = { user: strings.you, assistant: strings.assistant, system: strings.system }[message.role]
    return (
      <Root
        tag="article"
        render={render}
        root={{
          'aria-label': label,
          'aria-busy': isLiveStatus(message.status) ? true : undefined,
          ...rest,
          className: classNames('cs-part cs-message', className),
          'data-role': message.role satisfies Attributes['data-role'],
          'data-status': message.status satisfies Attributes['data-status'],
          children: (
            <ErrorBoundary resetKeys={[message.status, message.restarted]}>
              <Inside message={message} renderPart={renderPart} messageActions={messageActions} tools={tools} />
            </ErrorBoundary>
          ),
        }}
        state={{ message }}
        rootRef={ref}
      />
    )
  }),
)

interface InsideProps {
  readonly message: ChatMessage
  readonly renderPart: RenderPart | undefined
  readonly messageActions: ReactNode
  readonly tools: ToolRenderers | undefined
}

function Inside(props: InsideProps): ReactNode {
  const { message } = props
  switch (message.role) {
    case 'user':
      return <UserMessage {...props} />
    case 'assistant':
      return <AssistantMessage {...props} />
    case 'system':
      return (
        <p className="cs-rule cs-text" dir="auto">
          {capMarks(textOf(message))}
        </p>
      )
  }
}

interface UserMessageProps {
  readonly message: ChatMessage
  readonly renderPart: RenderPart | undefined
  readonly messageActions: ReactNode
}

/**
 * A user's message in a bubble, with its files above. It can be edited. One that was not sent keeps its
 * text and says so; one that may have arrived is sent again only as the user decides, because the agent may do its work twice.
 */
function UserMessage({ message, renderPart, messageActions }: UserMessageProps): ReactNode {
  const { message: strings, composer } = useDictionary()
  const chat = useChatContext()
  const draft = useDraft()
  const editorOf = (): MessageDraft | undefined => draft.getSnapshot().editors.get(message.id)
  const editor = useSyncExternalStore(draft.subscribe, editorOf, editorOf)

  const code = useOnDemand(messageEditor, editor !== undefined)
  const edit = useRef<HTMLButtonElement>(null)
  const edited = useRef(false)
  useEffect(() => {
    // The editor has taken the focus with it, unless it handed it on.
    if (!editor && edited.current && edit.current && isUnfocused(edit.current)) edit.current.focus()
    edited.current = editor !== undefined
  }, [editor])
  if (editor && code) return <code.MessageEditor message={message} editor={editor} draft={draft} />

  const text = textOf(message)
  const others = groupParts(message.parts).filter((group) => group.type === 'single')
  return (
    <>
      {message.files && message.files.length > 0 && (
        <ul className="cs-files" aria-label={composer.attachments}>
          {message.files.map((file, index) => {
            const { name, id, ...facts } = typeof file === 'string' ? { id: file } : file
            return <AttachmentChip {...facts} key={id ?? index} name={name ?? id ?? ''} />
          })}
        </ul>
      )}
      {others.map((group) => (
        <SinglePart key={group.id} part={group.part} messageId={message.id} live={false} renderPart={renderPart} />
      ))}
      {text !== '' && (
        <div className="cs-bubble cs-text" dir="auto">
          {capMarks(text)}
        </div>
      )}
      {message.status === 'not-sent' && message.error?.code === 'delivery_unknown' ? (
        <MessageStatusRow icon="cut" tone="caution">
          <b className="cs-strong">{strings.mayHaveArrived}</b>
          <StepButton onPress={() => chat.retry(message.id)}>{strings.sendAgain}</StepButton>
          <Dot />
          <StepButton onPress={() => chat.discard(message.id)}>{strings.discard}</StepButton>
        </MessageStatusRow>
      ) : message.status === 'not-sent' ? (
        <MessageStatusRow icon="fatal" tone="error">
          <b className="cs-strong">{strings.notSent}</b>
          <StepButton onPress={() => chat.retry(message.id)}>{strings.retry}</StepButton>
          <Dot />
          <StepButton onPress={() => draft.edit(chat.discard(message.id) ?? '')}>{strings.edit}</StepButton>
          <Dot />
          <StepButton onPress={() => chat.discard(message.id)}>{strings.discard}</StepButton>
        </MessageStatusRow>
      ) : message.status === 'sending' ? (
        <p className="cs-sending cs-meta">{strings.sending}</p>
      ) : (
        <MessageActions message={message} messageActions={messageActions} editRef={edit} />
      )}
    </>
  )
}
