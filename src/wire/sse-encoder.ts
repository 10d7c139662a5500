import { AgentError } from '../base/agent-error.ts'

/** A frame on its way out. */
export interface OutgoingFrame {
  /** One line; what the client will send back as `Last-Event-ID`. */
  readonly id?: string | undefined
  /** One line; `message` when absent. */
  readonly event?: string | undefined
  /** Any text. Line breaks become several `data:` lines, so CR and CRLF arrive as LF (WHATWG HTML 9.2.6). */
  readonly data: string
}

const LINE_BREAK = /\r\n|\r|\n/

/**
 * Writes one server-sent event, blank line included.
 *
 * @throws AgentError `invalid_config` when `id` or `event` holds a line break or NUL: it would start a separate field.
 */
export function encodeSseFrame({ id, event, data }: OutgoingFrame): string {
  let text = ''
  if (id !== undefined) text += field('id', id)
  if (event !== undefined) text += field('event', event)
  for (const line of data.split(LINE_BREAK)) text += `data: ${line}\n`
  return `${text}\n`
}

/** Writes a comment: bytes that mean nothing but "alive". */
export function encodeSseComment(text: string): string {
  return `${text
    .split(LINE_BREAK)
    .map((line) => `: ${line}\n`)
    .join('')}\n`
}

function field(name: string, value: string): string {
  // NUL is what makes a client ignore the id.
  if (/[\r\n\0]/.test(value)) {
    throw new AgentError({
      kind: 'protocol',
      code: 'invalid_config',
      severity: 'FATAL',
      message: `The ${name} of an event stream frame must be one line without NUL, because a line break would begin another field. Remove it.`,
    })
  }
  return `${name}: ${value}\n`
}
