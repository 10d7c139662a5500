'use client'

import { createContext, useContext } from 'react'
import type { AgentError } from '../../base/agent-error.ts'
import type { Attachment } from '../../seam/chat-input.ts'
import type { ChatInstance } from '../../state/chat.ts'
import type { OutgoingMessage } from '../../state/turn.ts'
import { useChatContext } from '../../react/chat-context.ts'

/** Text and files of a draft, and why the last attempt to send it was refused. */
export interface DraftSnapshot {
  readonly text: string
  readonly attachments: readonly PendingAttachment[]
  /** Latest change of a file, for the announcement to screen readers. */
  readonly news: FileNews | undefined
  /**
   * `unknown`: something that is no {@link AgentError} was thrown. `files`: not all of them are there yet. `not-said`: the running
   * answer could not take the text in, so it is queued.
   */
  readonly refusal: AgentError | 'unknown' | 'files' | 'not-said' | undefined
  /** The sent messages that are being edited, by their ids, each with its own draft. */
  readonly editors: ReadonlyMap<string, MessageDraft>
}

/** The new version of a message that was sent. */
export interface MessageDraft {
  readonly draft: Draft
  /** Begun with the arrow key in the composer, so that leaving it leads back there. */
  readonly fromComposer: boolean
}

/**
 * Content of one composer, stored outside of React: typing renders only the text box, and a message that could not be
 * sent can be put back. No text or file is lost: returned content is placed before content added since.
 */
export interface Draft {
  getSnapshot(): DraftSnapshot
  subscribe(listener: () => void): () => void
  /** Replaces the text: the user is writing. */
  write(text: string): void
  /**
   * Adds a file and starts its upload immediately. With a reason in `refused` it is not uploaded, and is shown as
   * refused.
   */
  attach(file: File, onAttach: OnAttach, refused?: string): void
  /**
   * Empties the box and sends what was in it; while an answer runs, queues it or says it into that answer (`whenBusy`). Gives it
   * back when the chat refuses it. With a text, sends that and leaves the box alone. False when there was nothing to send, or a
   * file is not ready.
   */
  send(chat: Pick<ChatInstance, 'sendMessage'>, text?: string, whenBusy?: 'queue' | 'say'): boolean
  /** Restores a message for editing and moves the focus to the box. An empty text only moves the focus. */
  edit(message: string | OutgoingMessage): void
  /** Begins to edit a sent message, or with no draft leaves it. */
  setEditor(messageId: string, editor?: MessageDraft): void
  /** Calls back when the box should take the focus; the returned function stops that. */
  onFocusWanted(listener: () => void): () => void
}

/**
 * A new draft, empty or with something to start from. With `wantsFocus` its box takes the focus when it appears.
 *
 * @example
 * ```tsx
 * import { Composer, createDraft } from 'capstan/components'
 *
 * const draft = createDraft('Why do rivers meander?')
 * export const Box = () => <Composer draft={draft} />
 * ```
 */
export function createDraft(start: string | OutgoingMessage = '', wantsFocus = false): Draft {
  const listeners = new Set<() => void>()
  const focusListeners = new Set<() => void>()
  let focusDue = wantsFocus
  let keys = 0
  /** Of the messages that were brought back: it goes out with them again. */
  let metadata: OutgoingMessage['metadata']
  const newKey = (): string => `file-${(keys += 1)}`
  let snapshot: DraftSnapshot = { text: '', attachments: [], news: undefined, refusal: undefined, editors: new Map() }

  function publish(change: Partial<DraftSnapshot>): void {
    const next = { ...snapshot, ...change }
    // Both are drafts' snapshots, so they have the same keys.
    if ((Object.keys(change) as (keyof DraftSnapshot)[]).every((key) => snapshot[key] === next[key])) return
    snapshot = next
    for (const listener of [...listeners]) listener()
  }

  /** Stores the newest state of a file; `undefined` removes the file. */
  function put(key: string, attachment: PendingAttachment | undefined, news?: FileNews): void {
    const { attachments } = snapshot
    const index = attachments.findIndex((known) => known.key === key)
    const next =
      attachment === undefined
        ? attachments.filter((known) => known.key !== key)
        : index < 0
          ? [...attachments, attachment]
          : attachments.with(index, attachment)
    publish({ attachments: next, news: news ?? snapshot.news })
  }

  function bringBack(message: string | OutgoingMessage, refusal?: DraftSnapshot['refusal']): void {
    const {
      text,
      files = [],
      metadata: known,
    }: OutgoingMessage = typeof message === 'string' ? { text: message } : message
    if (known !== undefined) metadata = { ...metadata, ...known }
    const written = snapshot.text
    publish({
      text: text === '' ? written : written.trim() === '' ? text : `${text}\n\n${written}`,
      attachments: [...files.map((file) => toPending(file, newKey(), put)), ...snapshot.attachments],
      refusal,
    })
  }

  bringBack(start)
  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    write(text) {
      // Nothing is left of them.
      if (text === '') metadata = undefined
      publish({ text, refusal: undefined })
    },
    attach: (file, onAttach, refused) => uploadFile(file, newKey(), onAttach, refused, put),
    send(chat, text, whenBusy = 'queue') {
      const own = text === undefined
      const words = text ?? snapshot.text
      const attachments = own ? snapshot.attachments : []
      if (words.trim() === '' && attachments.length === 0) return false
      if (!attachments.every(({ status }) => status === 'ready')) {
        publish({ refusal: 'files' })
        return false
      }
      const sent = attachments.flatMap((each) => each.sent ?? [])
      const files = sent.length > 0 ? sent : undefined
      const message = { text: words, files, metadata: own ? metadata : undefined }
      if (own) metadata = undefined
      // Clears the draft first, so that a second Enter has nothing to send.
      publish(own ? { text: '', attachments: [], news: undefined, refusal: undefined } : { refusal: undefined })
      chat
        .sendMessage(files || message.metadata ? { ...message, text: words.trim() } : words.trim(), { whenBusy })
        .then((result) => {
          if (result.status === 'refused') return bringBack(message, result.error)
          const isNotSaid = result.status === 'queued' && whenBusy === 'say' && files === undefined
          return isNotSaid ? publish({ refusal: 'not-said' }) : undefined
        })
        // A chat of the app's own may throw.
        .catch(() => bringBack(message, 'unknown'))
      return true
    },
    edit(message) {
      bringBack(message)
      for (const listener of [...focusListeners]) listener()
    },
    setEditor(messageId, editor) {
      const editors = new Map(snapshot.editors)
      if (editor === undefined) editors.delete(messageId)
      else editors.set(messageId, editor)
      publish({ editors })
    },
    onFocusWanted(listener) {
      focusListeners.add(listener)
      if (focusDue) listener()
      focusDue = false
      return () => focusListeners.delete(listener)
    },
  }
}

/** Another draft than the chat's own, for the composer and the messages inside. */
export const DraftContext = createContext<Draft | null>(null)

const drafts = new WeakMap<ChatInstance, Draft>()

/**
 * The draft of a chat. It exists as long as the chat does, whichever components are mounted: a user who leaves a
 * conversation and returns finds the unsent text. To persist drafts beyond the page, `write` the stored text into it
 * and `subscribe` to changes.
 */
export function draftOf(chat: ChatInstance): Draft {
  const draft = drafts.get(chat) ?? createDraft()
  drafts.set(chat, draft)
  return draft
}

/** The draft that the composer and the messages here share. */
export function useDraft(): Draft {
  const chat = useChatContext()
  return useContext(DraftContext) ?? draftOf(chat)
}

/**
 * Makes a file available to the agent. Resolve with the id of an upload, or with its bytes in base64 (only
 * for agents that take them in the request). Resolve with `refused`, a short text such as "over 10 MB", when it may not
 * be sent; reject when it only went wrong this time, and the user may try again. `signal` aborts when the file is
 * taken out; call `onProgress` with a share from 0 to 1.
 */
export type OnAttach = (
  file: File,
  options: { readonly signal: AbortSignal; readonly onProgress: (share: number) => void },
) => Promise<Attachment | { readonly refused: string }>

/** A file in a draft: on its way, ready to be sent, or not to be had. */
export interface PendingAttachment {
  readonly key: string
  readonly name: string
  readonly mimeType?: string | undefined
  /** Bytes. */
  readonly size?: number | undefined
  readonly status: 'uploading' | 'ready' | 'failed'
  /** From 0 to 1, while uploading and once it is known. */
  readonly share?: number | undefined
  /** Why it was refused; absent when it went wrong. */
  readonly reason?: string | undefined
  /** What goes out with the message, once ready. */
  readonly sent?: string | Attachment | undefined
  /** Tries again what went wrong. */
  readonly retry?: (() => void) | undefined
  /** Takes it out of the draft, ending its upload. */
  readonly remove: () => void
}

/** The outcome of a file, announced once. */
export interface FileNews {
  readonly name: string
  readonly status: PendingAttachment['status'] | 'removed'
  readonly reason?: string | undefined
}

/** Keeps the newest state of a file; undefined takes it out. */
type Put = (key: string, attachment: PendingAttachment | undefined, news?: FileNews) => void

/** A file that was ready before, back in a draft. */
function toPending(file: string | Attachment, key: string, put: Put): PendingAttachment {
  const { name, id, mimeType, size }: Attachment = typeof file === 'string' ? { id: file } : file
  const shown = name ?? id ?? ''
  return {
    key,
    name: shown,
    mimeType,
    size,
    status: 'ready',
    sent: file,
    remove: () => put(key, undefined, { name: shown, status: 'removed' }),
  }
}

/** Uploads a file. Progress is only shown; start and end are also announced to screen readers. */
function uploadFile(file: File, key: string, onAttach: OnAttach, refused: string | undefined, put: Put): void {
  const { name, size } = file
  const mimeType = file.type || undefined
  const upload = new AbortController()
  const { signal } = upload
  function show(status: PendingAttachment['status'], change?: Partial<PendingAttachment>): void {
    // Ignores late results of the upload of a removed file.
    if (signal.aborted) return
    put(
      key,
      { key, name, size, mimeType, remove, status, ...change },
      change?.share === undefined ? { name, status, reason: change?.reason } : undefined,
    )
  }
  function remove(): void {
    upload.abort()
    put(key, undefined, { name, status: 'removed' })
  }
  async function start(): Promise<void> {
    let over = false
    const onProgress = (share: number): void => {
      if (!over) show('uploading', { share })
    }
    show('uploading')
    try {
      const result = await onAttach(file, { signal, onProgress })
      over = true
      if ('refused' in result) show('failed', { reason: result.refused })
      else show('ready', { sent: { name, mimeType, size, ...result } })
    } catch {
      over = true
      show('failed', { retry: () => void start() })
    }
  }
  if (refused === undefined) void start()
  else show('failed', { reason: refused })
}
