import type { AgentErrorInit } from '../base/agent-error.ts'
import { parseBoundedJson } from '../base/bounded-json.ts'
import type { JsonObject } from '../base/json-object.ts'
import { isJsonObject } from '../base/json-object.ts'
import type { TransportAnswer } from './transport.ts'

const MOST_REPLY_BYTES = 100_000
const SHOWN_LENGTH = 2000
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/

/** The reply to a command: the JSON object in it, or why it is not the agent's. */
export type CommandReply =
  | { readonly body: JsonObject; readonly fault?: undefined }
  | { readonly body?: undefined; readonly fault: AgentErrorInit }

/**
 * Reads the reply to a command. Only a JSON object is one: a login page, a captive portal and an empty response come from
 * something between the page and the agent, whatever their status, and confirm nothing. Rejects when the response is cut off.
 */
export async function readCommandReply(answer: TransportAnswer): Promise<CommandReply> {
  if (answer.kind === 'events') return { fault: notTheAgent(answer) }
  const text = await answer.text({ maxBytes: MOST_REPLY_BYTES, truncate: true })
  const body = JSON_TYPE.test(answer.contentType) ? parsed(text) : undefined
  return isJsonObject(body) ? { body } : { fault: notTheAgent(answer, text) }
}

/** Why a reply confirms nothing. */
export function notTheAgent({ status, contentType }: TransportAnswer, text?: string): AgentErrorInit {
  return {
    kind: 'protocol',
    code: 'invalid_response',
    severity: 'TRANSIENT',
    message:
      'Something other than the agent replied, so it is not known whether this arrived. Sign in again, or check proxies.',
    status,
    details: { contentType, body: text?.slice(0, SHOWN_LENGTH) },
  }
}

function parsed(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    return undefined
  }
}

/** The reply of an endpoint that stops runs: its body confirms the stop, or `fault` is why it does not. */
export async function readStopReply(answer: TransportAnswer): Promise<CommandReply> {
  const reply = await readCommandReply(answer)
  if (reply.body === undefined || reply.body.result === 'accepted' || reply.body.stopped === true) return reply
  return { fault: notTheAgent(answer, JSON.stringify(reply.body)) }
}
