import type { AgentError } from '../../base/agent-error.ts'
import type { Dictionary } from '../dictionary.ts'
import type { IconName } from '../icon/icon.tsx'

/** What people read about a failure, and what they can do about it. */
export interface ErrorDescription {
  readonly title: string
  readonly text: string
  readonly icon: IconName
  /** The step that helps most. `none`: nothing the person can do here. */
  readonly action: 'sign-in' | 'request-access' | 'try-again' | 'none'
}

/**
 * The headline and next step of an error, by its code. The agent's own sentence is never the
 * headline. `attempts`: how often the line was tried, when that is known.
 */
export function describeError(error: AgentError, words: Dictionary, attempts = 0): ErrorDescription {
  const catalogue = words.error
  const said = error.agentCode?.toLowerCase()
  const plain = (title: string, text: string, action: ErrorDescription['action'] = 'try-again', icon: IconName = 'fatal') => ({
    title,
    text,
    icon,
    action,
  })

  if (error.code === 'unauthorized' || error.status === 401 || said === 'auth_failed' || said === 'unauthorized') {
    return plain(catalogue.session, catalogue.sessionText, 'sign-in')
  }
  if (error.code === 'forbidden' || error.status === 403 || said === 'forbidden') {
    return plain(catalogue.access, catalogue.accessText, 'request-access', 'lock')
  }
  if (error.code === 'rate_limited' || error.status === 429 || said === 'rate_limit_exceeded') {
    const wait = error.retryAfterMs
    return plain(catalogue.rateLimited, wait ? catalogue.rateLimitedFor(wait) : catalogue.rateLimitedText, 'try-again', 'clock')
  }
  switch (error.code) {
    case 'not_found':
      return plain(catalogue.notFound, catalogue.notFoundText, 'none')
    case 'log_expired':
    case 'restarted':
      return plain(catalogue.expired, catalogue.expiredText)
    case 'http_error': {
      const refused = error.status !== undefined && error.status >= 400 && error.status < 500
      return refused
        ? plain(catalogue.refused, catalogue.refusedText)
        : plain(catalogue.server, catalogue.serverText)
    }
    case 'network_error': {
      const title = attempts > 0 ? catalogue.networkAfter(attempts) : catalogue.network
      return plain(title, catalogue.networkText, 'try-again', 'cut')
    }
    case 'timeout':
      return plain(catalogue.timeout, catalogue.timeoutText, 'try-again', 'clock')
    case 'truncated':
      return plain(catalogue.truncated, catalogue.truncatedText, 'try-again', 'cut')
    case 'unexpected_content_type':
    case 'frame_too_large':
    case 'response_too_large':
    case 'invalid_json':
    case 'invalid_packet':
    case 'unknown_op':
    case 'invalid_response':
      return plain(catalogue.unreadable, catalogue.unreadableText)
    case 'invalid_request':
    case 'invalid_config':
      return plain(catalogue.setup, catalogue.setupText, 'none')
    case 'busy':
      return plain(catalogue.busy, catalogue.busyText, 'none', 'info')
    case 'agent_error':
      return plain(catalogue.agent, error.message)
    case 'app_error':
    default:
      // `unauthorized`, `forbidden` and `rate_limited` were told by their code above.
      return plain(catalogue.app, catalogue.appText)
  }
}
