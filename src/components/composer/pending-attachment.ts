import type { Attachment } from '../../seam/chat-input.ts'

/**
 * Brings a file to where the agent finds it. Resolve with the id an upload gave it, or with its bytes in base64 (only
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

/** What happened to a file, told once. */
export interface FileNews {
  readonly name: string
  readonly status: PendingAttachment['status'] | 'removed'
  readonly reason?: string | undefined
}

/** Keeps the newest state of a file; undefined takes it out. */
type Put = (key: string, attachment: PendingAttachment | undefined, news?: FileNews) => void

/** A file that was ready before, back in a draft. */
export function toPending(file: string | Attachment, key: string, put: Put): PendingAttachment {
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
export function uploadFile(file: File, key: string, onAttach: OnAttach, refused: string | undefined, put: Put): void {
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
