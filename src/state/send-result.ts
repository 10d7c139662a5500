import type { AgentError } from '../base/agent-error.ts'
import { isAgentError } from '../base/agent-error.ts'

/** What became of something that was to be sent. Resolved, never thrown: `void chat.sendMessage(…)` leaves no unhandled rejection. */
export type SendResult =
  /** The chat took it, and the run has ended. How it ended is in the snapshot. */
  | { readonly status: 'accepted' }
  /** It waits in `queued` for the answer that runs. */
  | { readonly status: 'queued' }
  /** Nothing was sent and nothing changed. `busy`: another run is live. `invalid_request`: there is nothing to send, or no such message. `app_error`: the chat was disposed of. */
  | { readonly status: 'refused'; readonly error: AgentError }

export const ACCEPTED: SendResult = { status: 'accepted' }
export const QUEUED: SendResult = { status: 'queued' }

/** A refusal as a result. Whatever else is thrown is a fault of the code, and stays an exception. */
export async function resultOf(sending: Promise<SendResult | void>): Promise<SendResult> {
  try {
    return (await sending) ?? ACCEPTED
  } catch (error) {
    if (isAgentError(error)) return { status: 'refused', error }
    throw error
  }
}
