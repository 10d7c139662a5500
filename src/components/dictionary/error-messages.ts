import type { AgentError, ErrorCode } from '../../base/agent-error.ts'
import { wholeSeconds } from './whole-seconds.ts'

/** What people read about one error: what happened, and what it means for them or what to do. */
export interface ErrorWords {
  readonly title: string
  readonly text: string
}

/** Words, or a function that finds them from the error (`status`, `retryAfterMs`, `details`). `attempts`: how often the line was tried, 0 when unknown. */
export type ErrorMessage = ErrorWords | ((error: AgentError, attempts: number) => ErrorWords)

/** Words for every code of this library. */
export type ErrorMessages = Readonly<Record<ErrorCode, ErrorMessage>>

/** Words for codes of agents (`agentCode`), as the agent writes them or in lower case. A host adds those its agent sends. */
export type AgentErrorMessages = Readonly<Record<string, ErrorMessage>>

const say = (title: string, text: string): ErrorWords => ({ title, text })

/** The English catalogue: every {@link ErrorCode} in words of its own. */
export const errorMessages: ErrorMessages = {
  network_error: (_, attempts) =>
    say(
      `Could not reach the agent${attempts > 0 ? ` after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}` : ''}`,
      'Check your connection. What has come so far is kept.',
    ),
  timeout: say('The agent took too long to answer', 'Nothing came for a while. What has come so far is kept.'),
  truncated: say('The connection ended early', 'The answer stopped before the agent said it was done.'),
  unexpected_content_type: say('Something else than the agent answered', 'A sign-in page of this network may stand in between.'),
  frame_too_large: say('One piece of the answer is too large', 'What has come so far is kept.'),
  response_too_large: say('The answer is too large', 'Ask for a shorter one.'),
  invalid_json: say('The answer could not be read', 'What has come so far is kept.'),
  invalid_packet: say('Part of the answer could not be read', 'What has come so far is kept.'),
  unknown_op: say('The agent sent something new', 'This app does not know it.'),
  invalid_response: say('The agent gave no proper answer', 'This app does not know its form.'),
  invalid_request: say('The request could not be sent', 'This app did not ask for it correctly.'),
  invalid_config: say('This app is not set up for the agent', 'One of its settings cannot work.'),
  http_error: ({ status = 500 }) =>
    status >= 400 && status < 500
      ? say('The agent did not accept the request', 'Trying the same again is unlikely to help.')
      : say('The agent could not answer', 'Its server reported an error. What has come so far is kept.'),
  unauthorized: say('Your session has ended', 'Sign in to go on. Your conversation is kept.'),
  forbidden: say('You do not have access', 'This agent is limited to the people it was shared with.'),
  not_found: say('This agent could not be found', 'It may have moved or been removed.'),
  rate_limited: ({ retryAfterMs }) => say('Too many requests', `Wait ${retryAfterMs ? wholeSeconds(retryAfterMs) : 'a moment'}, then try again.`),
  log_expired: say('This answer can no longer be continued', 'The server no longer keeps it. Ask again for a new one.'),
  agent_error: ({ message }) => say('The agent reported a problem', message),
  restarted: say('The agent began again in mid-answer', 'The two halves do not fit together. Ask again for a new answer.'),
  busy: say('An answer is still being written', 'Wait for it to end, or stop it first.'),
  app_error: say('Something went wrong in this app', 'Your conversation is kept.'),
}

/** The codes that CAP's own documents send, as far as no code of ours means the same. */
export const agentErrorMessages: AgentErrorMessages = {
  internal_error: say('The agent ran into a problem', 'What has come so far is kept.'),
  upstream_timeout: say('A service the agent needs is slow', 'What has come so far is kept.'),
  toxicity_detected: say('The agent’s safety check stopped this answer', 'Try to ask in another way.'),
  unstructured_error: say('The agent failed without a reason code', 'The details have what it said.'),
}
