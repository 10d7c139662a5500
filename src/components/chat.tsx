'use client'

import {
  type ComponentPropsWithoutRef,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  forwardRef,
  useCallback,
  useContext,
  useReducer,
  useRef,
} from 'react'
import { ChatContext, useChatContext, useChatStatus } from '../react/chat-context.ts'
import { useChatInstance } from '../react/use-agent-chat.ts'
import { useLatest } from '../react/use-latest.ts'
import type { ChatInstance as ChatValue } from '../state/chat.ts'
import { Announcer } from './announcer.tsx'
import { type ComposerProps, Composer } from './composer/composer.tsx'
import { type Draft, DraftContext, draftOf } from './composer/draft.ts'
import { isComposing, isEscapeTaken } from './composer/is-composing.ts'
import type { DictionaryOverrides } from '../strings/dictionary.ts'
import { DictionaryProvider, LangContext, useDictionary } from './dictionary/dictionary-context.tsx'
import { type Suggestion, EmptyState } from './empty-state.tsx'
import { type ErrorActions, ErrorBanner } from './error-banner.tsx'
import { type RenderErrorHandler, RenderErrorContext } from './error-boundary.tsx'
import { MediaPolicyProvider } from './media-policy.tsx'
import { type MessageListProps, MessageList } from './message-list/message-list.tsx'
import type { RenderPart, ToolRenderers } from './message/render-part.ts'
import { isRunning, type ChatSnapshot } from '../state/chat-snapshot.ts'
import { type AttributesOf, type PartAttributes, classNames, type RenderRoot, Root } from './internals/part.ts'
import { OpenSourcesContext } from './citation-block/citation-provider.tsx'
import { fileGuard } from './internals/file-guard.ts'
import { useLanguagePack } from './dictionary/use-pack.ts'
import { LeaseArea, PromptArea } from './prompt-area.tsx'
import { BLINK_MS, isDown } from './internals/reconnect-attempt.ts'
import { messageCodeOf, findByCode } from './error-details.tsx'
import { focusLastMessage } from './internals/buttons.tsx'
import { isLiveStatus } from './message/live-status.ts'
import { useLongerThan } from './internals/live-time.tsx'
import { ConnectionStatus } from './connection-status.tsx'

/** The `data-*` attributes of `Chat`. */
export const chatAttributes = {
  root: {
    selector: '.cs-chat',
    attributes: {
      'data-sources': {
        values: 'present',
        meaning: 'While a `SourcesPanel` in it is open, which is beside the text of a wide chat',
      },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof chatAttributes>

export interface ChatProps extends Omit<ComponentPropsWithoutRef<'section'>, 'title'> {
  /**
   * The conversation to show. A new one belongs to the `AgentProvider`'s client.
   *
   * @default the one of a `ChatContext` around, or a new one
   */
  readonly chat?: ChatValue | undefined
  /** Which conversation to make when no `chat` is given: a UUID. @default a new one */
  readonly conversationId?: string | undefined
  /** Shown in a header, beside the state of the connection. Absent: no header. */
  readonly title?: ReactNode
  /** Replaces the default header; `null` hides it. @default `ChatHeader` when there is a `title` */
  readonly header?: ReactNode
  /** Shown before the first message, in place of question and suggestions. @default `EmptyState` */
  readonly empty?: ReactNode
  /** The question before the first message. @default from the dictionary */
  readonly emptyTitle?: ReactNode
  /** Up to four ways to begin; one click sends it. Absent: none. */
  readonly suggestions?: readonly Suggestion[] | undefined
  /** Shown in the empty composer. @default from the dictionary */
  readonly placeholder?: string | undefined
  /** Everything else the composer takes: `{ onAttach, maxFileBytes, start: <ModelMenu /> }`. Absent: none. */
  readonly composerProps?: ComposerProps | undefined
  /** Everything else the transcript takes: `{ onReachStart, start, anchor: 'end', windowAbove }`. Absent: none. */
  readonly listProps?: MessageListProps | undefined
  /** Another draft than the chat's own, which lives as long as the chat does. @default the draft of the chat */
  readonly draft?: Draft | undefined
  /** Leaves out the row of hint below the composer. @default false */
  readonly hideHint?: boolean | undefined
  /**
   * Shows a part in your own way; for undefined capstan shows it. Keep the function stable.
   *
   * @default the part's component
   */
  readonly renderPart?: RenderPart | undefined
  /**
   * The actions of each message, in place of capstan's own: `CopyAction`, `EditAction`, `RetryAction`, `FeedbackAction` and controls of
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
   * Hosts whose media load without being asked for, over https: `cdn.example`, `*.cdn.example`. Keep the array stable.
   * Absent: none.
   */
  readonly allowedMediaHosts?: readonly string[] | undefined
  /** Adds "Sign in" where the session has ended. Absent: no button. */
  readonly onSignIn?: (() => void) | undefined
  /** Adds "Request access" where access is missing. Absent: no button. */
  readonly onRequestAccess?: (() => void) | undefined
  /** Your own controls for errors, by the agent's code or ours: `{ rate_limited: <Upgrade /> }`. Absent: none. */
  readonly errorActions?: ErrorActions | undefined
  /** Called with a part that could not be shown, because a renderer of yours or of capstan threw. Absent: none. */
  readonly onRenderError?: RenderErrorHandler | undefined
  /** Replaces strings of the dictionary, or sets another language. Keep the object stable. @default English */
  readonly strings?: DictionaryOverrides | undefined
  /**
   * The same parts in your own order, in place of header, transcript and dock: `ChatHeader`, `MessageList`, `PromptDock`,
   * and a `ChatDock` with `ChatBanner` and `Composer` in it. The props that are for those parts go to them.
   *
   * @default header, transcript and dock
   */
  readonly children?: ReactNode
}

/**
 * Renders a `<section>`: a whole conversation with transcript, composer, errors, and announcements for screen readers.
 * It fills its parent's height. The whole chat: `<AgentProvider client={client}><Chat /></AgentProvider>`.
 *
 * @example
 * ```tsx
 * import { CapClient } from 'capstan'
 * import { Chat } from 'capstan/components'
 * import { AgentProvider } from 'capstan/react'
 *
 * const client = new CapClient({ baseUrl: 'https://agent.example' })
 * export const App = () => <AgentProvider client={client}><Chat title="River desk" /></AgentProvider>
 * ```
 */
export const Chat = forwardRef<HTMLElement, ChatProps>(function Chat(
  { chat, conversationId, ...props },
  ref,
): ReactNode {
  const around = useContext(ChatContext)
  const known = chat ?? (conversationId === undefined ? around : null)
  return known ? (
    <ChatFrame {...props} chat={known} frameRef={ref} />
  ) : (
    <OwnChat key={conversationId} {...props} conversationId={conversationId} frameRef={ref} />
  )
})

type FrameProps = Omit<ChatProps, 'chat' | 'conversationId'> & { readonly frameRef: Ref<HTMLElement> }

function OwnChat({
  conversationId,
  ...props
}: FrameProps & { readonly conversationId: string | undefined }): ReactNode {
  const chat = useChatInstance(conversationId === undefined ? {} : { conversationId })
  return <ChatFrame {...props} chat={chat} />
}

function ChatFrame({
  chat,
  strings,
  frameRef,
  className,
  ...props
}: FrameProps & { readonly chat: ChatValue }): ReactNode {
  const {
    title,
    header,
    empty,
    emptyTitle,
    suggestions,
    placeholder,
    composerProps,
    listProps,
    draft,
    hideHint,
    ...others
  } = props
  const { renderPart, messageActions, tools, allowedMediaHosts, onSignIn, onRequestAccess, errorActions, ...further } =
    others
  const { onRenderError, children, ...rest } = further
  const latest = useLatest(onRenderError)
  const tellOfError = useCallback<RenderErrorHandler>((error, info) => latest.current?.(error, info), [latest])
  return (
    <DictionaryProvider strings={strings}>
      <ChatContext.Provider value={chat}>
        <DraftContext.Provider value={draft ?? draftOf(chat)}>
          <RenderErrorContext.Provider value={tellOfError}>
            <MediaPolicyProvider allowedHosts={allowedMediaHosts}>
              <Section {...rest} frameRef={frameRef} className={classNames('cs-part cs-chat', className)}>
                {children ?? (
                  <>
                    {header === undefined ? title !== undefined && <ChatHeader title={title} /> : header}
                    <LeaseArea />
                    <MessageList
                      renderPart={renderPart}
                      messageActions={messageActions}
                      tools={tools}
                      empty={empty ?? <EmptyState title={emptyTitle} suggestions={suggestions} />}
                      {...listProps}
                    />
                    <PromptArea />
                    <ChatDock>
                      <ChatBanner actions={errorActions} onSignIn={onSignIn} onRequestAccess={onRequestAccess} />
                      <Composer placeholder={placeholder} {...composerProps} />
                      {!hideHint && composerProps?.submitOnEnter !== false && <KeyHint />}
                    </ChatDock>
                  </>
                )}
                <Announcer />
              </Section>
            </MediaPolicyProvider>
          </RenderErrorContext.Provider>
        </DraftContext.Provider>
      </ChatContext.Provider>
    </DictionaryProvider>
  )
}

/** The root element: Escape stops the answer wherever in the chat the keyboard is. */
function Section({
  frameRef,
  onKeyDown,
  ...props
}: ComponentPropsWithoutRef<'section'> & { readonly frameRef: Ref<HTMLElement> }): ReactNode {
  const { chat: strings, language } = useDictionary()
  // Strings of what the page does not show yet: later there may not be a connection.
  useLanguagePack()
  const chat = useChatContext()
  const running = useChatStatus(isRunning)
  // One panel closes another, in any order of their events.
  const [openSources, addOpenSources] = useReducer((count: number, change: number) => count + change, 0)
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    onKeyDown?.(event)
    if (
      event.key !== 'Escape' ||
      !running ||
      event.defaultPrevented ||
      isComposing(event) ||
      isEscapeTaken(event.currentTarget)
    )
      return
    event.preventDefault()
    chat.stop().catch(() => {})
  }
  return (
    <LangContext.Provider value={language.lang}>
      <OpenSourcesContext.Provider value={addOpenSources}>
        {/* The keys of everything inside come here; the section itself is not a control. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <section
          {...language}
          aria-label={strings.label}
          {...props}
          {...fileGuard(props)}
          ref={frameRef}
          onKeyDown={press}
          data-sources={(openSources > 0 ? '' : undefined) satisfies Attributes['data-sources']}
        />
      </OpenSourcesContext.Provider>
    </LangContext.Provider>
  )
}

/** Visual hint of what the keys do; hidden on touch screens. */
function KeyHint(): ReactNode {
  const strings = useDictionary().composer
  return (
    <p className="cs-hint" aria-hidden="true">
      <kbd className="cs-key">{strings.keyEnter}</kbd>
      <span>{` ${strings.hintSends} · `}</span>
      <kbd className="cs-key">{strings.keyShift}</kbd>
      <span>+</span>
      <kbd className="cs-key">{strings.keyEnter}</kbd>
      <span>{` ${strings.hintNewLine} · `}</span>
      <kbd className="cs-key">{strings.keyEscape}</kbd>
      <span>{` ${strings.hintStops}`}</span>
    </p>
  )
}

export interface ChatBannerProps {
  /** Your own controls by code: `{ rate_limited: <Upgrade /> }`. Absent: none. */
  readonly actions?: ErrorActions | undefined
  /** Adds "Sign in" where the session has ended. Absent: no button. */
  readonly onSignIn?: (() => void) | undefined
  /** Adds "Request access" where access is missing. Absent: no button. */
  readonly onRequestAccess?: (() => void) | undefined
}

/** Moves the focus to the last message: the banner is removed together with the button that had it. */
function toLastMessage(banner: Element | null): void {
  focusLastMessage(banner?.closest('.cs-chat'))
}

/** Whether the last message already shows the failure, and whether it has its own retry button. */
function lastEnding({ messages, error }: ChatSnapshot): 'told' | 'own-retry' | 'none' {
  const last = messages.at(-1)
  if (!error || !last || last.error === undefined) return 'none'
  if (last.status === 'incomplete' || last.status === 'failed') return error.severity === 'FATAL' ? 'own-retry' : 'told'
  return last.status === 'not-sent' ? 'own-retry' : 'none'
}

/**
 * Renders a `<div>`, an `ErrorBanner`: the failure of the whole chat, above the composer. It is not rendered when the
 * last message already shows the failure and the host adds no controls. It has no button when the message has the same
 * button. Reconnecting is not announced here; the `Announcer` does that.
 *
 * @example
 * ```tsx
 * import { ChatBanner, ChatDock, Composer } from 'capstan/components'
 *
 * export const Dock = () => (
 *   <ChatDock>
 *     <ChatBanner onSignIn={() => location.assign('/sign-in')} />
 *     <Composer />
 *   </ChatDock>
 * )
 * ```
 */
export function ChatBanner({ actions, onSignIn, onRequestAccess }: ChatBannerProps): ReactNode {
  const chat = useChatContext()
  const snapshot = useChatStatus()
  const { error, connection, messages } = snapshot
  const ending = lastEnding(snapshot)
  const requestId = messages.at(-1)?.requestId
  const shownInMessage = messages.some((message) => message.role === 'assistant' && isLiveStatus(message.status))
  const down = useLongerThan(isDown(connection), BLINK_MS)
  const banner = useRef<HTMLDivElement>(null)
  const retry = (): void => {
    toLastMessage(banner.current)
    chat.retry().catch(() => {})
  }

  if (down && connection.error && !shownInMessage) {
    return (
      <ErrorBanner
        ref={banner}
        aria-live="off"
        error={connection.error}
        // During an attempt the banner and its button stay in place.
        nextRetryAt={connection.nextRetryAt ?? 0}
        attempt={connection.attempt}
        maxAttempts={connection.maxAttempts}
        hasOpened={connection.hasOpened}
        requestId={requestId}
        actions={actions}
        onRetry={retry}
      />
    )
  }
  if (!error || (ending === 'told' && findByCode(actions, error, messageCodeOf(error)) === undefined)) return null
  return (
    <ErrorBanner
      ref={banner}
      error={error}
      attempt={connection.requests}
      requestId={requestId}
      actions={actions}
      onRetry={ending === 'none' ? retry : undefined}
      onSignIn={onSignIn}
      onRequestAccess={onRequestAccess}
      onDismiss={() => {
        toLastMessage(banner.current)
        chat.clearError()
      }}
    />
  )
}

export interface ChatHeaderProps extends Omit<ComponentPropsWithoutRef<'header'>, 'title'> {
  /** Names the conversation. Absent: none. */
  readonly title?: ReactNode
  /** Controls at its end. Absent: none. */
  readonly children?: ReactNode
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot | undefined
}

/**
 * Renders a `<header>`: the title of a chat and the state of its connection.
 *
 * @example
 * ```tsx
 * import { Chat, ChatHeader } from 'capstan/components'
 *
 * export function Desk() {
 *   return <Chat header={<ChatHeader title="River desk"><button>Share</button></ChatHeader>} />
 * }
 * ```
 */
export const ChatHeader = forwardRef<HTMLElement, ChatHeaderProps>(function ChatHeader(
  { title, children, render, className, ...rest },
  ref,
): ReactNode {
  const content = (
    <>
      <h2 className="cs-header-title cs-clip">
        <bdi>{title}</bdi>
      </h2>
      <span className="cs-grow" />
      <ConnectionStatus bare />
      {children}
    </>
  )
  return (
    <Root
      tag="header"
      render={render}
      root={{ ...rest, className: classNames('cs-part cs-header', className), children: content }}
      state={undefined}
      rootRef={ref}
    />
  )
})

export interface ChatDockProps extends ComponentPropsWithoutRef<'div'> {
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot | undefined
}

/**
 * Renders a `<div>`: the lower edge of a chat, on one axis with its transcript, for errors, composer, and whatever
 * belongs next to them.
 *
 * @example
 * ```tsx
 * import { ChatDock, Composer } from 'capstan/components'
 *
 * export const Dock = () => (
 *   <ChatDock>
 *     <Composer />
 *     <p>Answers may be wrong.</p>
 *   </ChatDock>
 * )
 * ```
 */
export const ChatDock = forwardRef<HTMLDivElement, ChatDockProps>(function ChatDock(
  { render, className, ...rest },
  ref,
): ReactNode {
  return (
    <Root
      tag="div"
      render={render}
      root={{ ...rest, className: classNames('cs-part cs-dock', className) }}
      state={undefined}
      rootRef={ref}
    />
  )
})
