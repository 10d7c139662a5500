import { createCapError } from '../errors.ts'
import type { ServiceRequestInput } from '../schema/request.ts'
import type { CapPacket } from '../read/wire-packet.ts'
import type { ChatInput } from '../../../seam/chat-input.ts'
import type { AgentClient } from '../../../session/agent-client.ts'
import { iterateRun, type RunLog } from '../../../session/iterate-run.ts'

/** The text of one answer, delta by delta (RFC 004 section 3.1). Nothing is sent before iteration begins; iterate once. */
export class ChatStream implements AsyncIterable<string> {
  /** Pass it to the next `chat()` to continue with the conversation. */
  readonly conversationId: string
  readonly requestId: string
  readonly #deltas: AsyncIterator<string>

  constructor(
    client: AgentClient<ServiceRequestInput, CapPacket>,
    input: ChatInput,
    signal?: AbortSignal,
    log?: RunLog,
  ) {
    this.conversationId = input.conversationId
    this.requestId = input.requestId
    this.#deltas = iterateDeltas(client, input, signal, log)
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.#deltas
  }
}

function iterateDeltas(
  client: AgentClient<ServiceRequestInput, CapPacket>,
  input: ChatInput,
  signal: AbortSignal | undefined,
  log: RunLog | undefined,
): AsyncIterator<string> {
  let given = ''
  /** What the agent has to repeat after it began again. */
  let due = ''
  return iterateRun({
    client,
    requestId: input.requestId,
    signal,
    log,
    createRequest: () => client.createRequest(input),
    read({ event }) {
      // A plain sequence of strings cannot take back what it gave: either the new answer repeats it, or an error is better than a mixed answer.
      if (event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') due = given
      if (event.type !== 'text') return undefined
      const shared = Math.min(due.length, event.text.length)
      if (event.text.slice(0, shared) !== due.slice(0, shared)) throw restarted()
      due = due.slice(shared)
      const text = event.text.slice(shared)
      given += text
      return text === '' ? undefined : text
    },
    onFinished() {
      if (due !== '') throw restarted()
    },
  })
}

function restarted(): Error {
  return createCapError({
    kind: 'runtime',
    code: 'restarted',
    severity: 'TRANSIENT',
    message:
      'The agent started the answer over with a different text, so the text received before is no longer valid. Ask again, or use assist() to follow a restart.',
  })
}
