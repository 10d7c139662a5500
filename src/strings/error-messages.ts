import type { AgentError, ErrorCode } from '../base/agent-error.ts'
import { time } from './english-measures.ts'

/** What people read about one error: what happened, and what it means for them or what to do. */
export interface ErrorWords {
  readonly title: string
  readonly text: string
}

/** A text, or a function that makes it from the error (`status`, `retryAfterMs`, `details`). `attempts`: how many requests were made, 0 when unknown. */
export type ErrorMessage = ErrorWords | ((error: AgentError, attempts: number) => ErrorWords)

/** Texts for every code of this library. */
export type ErrorMessages = Readonly<Record<ErrorCode, ErrorMessage>>

/** Texts for codes of agents (`agentCode`), as the agent writes them or in lower case. A host adds those its agent sends. */
export type AgentErrorMessages = Readonly<Record<string, ErrorMessage>>

const say = (title: string, text: string): ErrorWords => ({ title, text })

/** The English messages, one for every {@link ErrorCode}. They hold whether or not a part of the response has arrived: the transcript shows what has. */
export const errorMessages: ErrorMessages = {
  network_error: (_, attempts) =>
    say(
      `Couldn’t reach the assistant${attempts > 1 ? ` after ${attempts} attempts` : ''}`,
      'Check your connection and try again.',
    ),
  timeout: say('The response timed out', 'The assistant took too long to respond. Please try again.'),
  truncated: say('Connection lost', 'The response may be incomplete.'),
  delivery_unknown: say(
    'Your message may have arrived',
    'The connection was lost before the assistant confirmed it. Sending it again may repeat the work.',
  ),
  unexpected_content_type: say('Unexpected response', 'You may need to sign in to this network first.'),
  frame_too_large: say('Part of the response is too large', 'This app can’t display it.'),
  response_too_large: say('The response is too long', 'Try asking for a shorter one.'),
  invalid_json: say('Couldn’t read the response', 'It arrived in an unexpected format.'),
  invalid_packet: say('Couldn’t read part of the response', 'It arrived in an unexpected format.'),
  unknown_op: say('Unsupported content', 'This app may need an update.'),
  invalid_response: say('Invalid response', 'This app couldn’t understand it.'),
  invalid_request: say('Message not sent', 'There’s a problem with this app.'),
  invalid_config: say('This app isn’t configured correctly', 'Please contact its support team.'),
  http_error: ({ status = 500 }) =>
    status >= 400 && status < 500
      ? say('Request rejected', 'Trying again probably won’t help.')
      : say('The server had a problem', 'Please try again.'),
  unauthorized: say('Please sign in', 'You’re not signed in, or your session has expired.'),
  forbidden: say('Access denied', 'You don’t have permission to use this assistant.'),
  not_found: say('Assistant not found', 'It may have moved or been removed.'),
  rate_limited: ({ retryAfterMs }) =>
    say(
      'Too many requests',
      retryAfterMs === 0
        ? 'You can try again now.'
        : `Try again in ${retryAfterMs === undefined ? 'a moment' : time(retryAfterMs)}.`,
    ),
  log_expired: say('This response can’t be resumed', 'Ask again to get a new one.'),
  agent_error: ({ message }) => say('The assistant reported a problem', message),
  restarted: say('The response was restarted', 'The two parts don’t match. Please ask again.'),
  busy: say('Still responding', 'Wait for it to finish, or stop it first.'),
  storage_full: say('The server is out of space', 'Please try again later.'),
  storage_corrupt: say('The server’s data is damaged', 'Please contact its support team.'),
  storage_unavailable: say('The server can’t save anything', 'Please try again later.'),
  app_error: say('Something went wrong', 'There’s a problem with this app. Please try again.'),
}

const notResponding = say('A required service isn’t responding', 'Please try again.')
const blocked = say('Blocked by a safety check', 'Try rephrasing your question.')

/** Messages for the codes that CAP's own documents and the model helpers of the server send, where no code of this library means the same. */
export const agentErrorMessages: AgentErrorMessages = {
  internal_error: say('The assistant ran into a problem', 'Please try again.'),
  upstream_timeout: notResponding,
  toxicity_detected: blocked,
  cancel_unconfirmed: say('Stop unconfirmed', 'It may still be working.'),
  model_unavailable: notResponding,
  model_content_filtered: blocked,
  model_quota_exceeded: say('Usage limit reached', 'Please try again later.'),
  model_context_too_long: say('The conversation is too long', 'Start a new one.'),
  model_step_limit: say('Step limit reached', 'The response may be incomplete.'),
  unstructured_error: say('Something went wrong', 'See details.'),
}
