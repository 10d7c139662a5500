import { createCapError } from '../../protocols/cap/errors.ts'
import type { ServiceRequestInput } from '../../protocols/cap/schema/request.ts'
import type { CapPacket } from '../../protocols/cap/read/wire-packet.ts'
import type { ChatInput } from '../../protocols/protocol.ts'
import type { AgentClient } from '../../session/agent-client.ts'
import { iterateRun } from '../../session/iterate-run.ts'
import type { RunLog } from '../../session/run-log.ts'

/** The text of one answer, delta by delta (RFC 004 section 3.1). Nothing is sent before iteration begins; iterate once. */
export class ChatStream implements AsyncIterable<string> {
  /** Pass it to the next `chat()` to go on with the conversation. */
  readonly conversationId: string
  readonly requestId: string
  readonly #deltas: AsyncGenerator<string>

  constructor(client: AgentClient<ServiceRequestInput, CapPacket>, input: ChatInput, signal?: AbortSignal, log?: RunLog) {
    this.conversationId = input.conversationId
    this.requestId = input.requestId
    this.#deltas = readDeltas(client, input, signal, log)
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return this.#deltas
  }
}

async function* readDeltas(client: AgentClient<ServiceRequestInput, CapPacket>, input: ChatInput, signal: AbortSignal | undefined, log: RunLog | undefined): AsyncGenerator<string> {
  const request = await client.createRequest(input)
  let given = ''
  /** What the agent has to repeat after it began again. */
  let due = ''
  for await (const events of iterateRun(client, request, input.requestId, signal, log)) {
    for (const { event } of events) {
      if (signal?.aborted) return
      // A plain sequence of strings cannot take back what it gave: either the new answer repeats it, or an error is better than a mixed answer.
      if (event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') due = given
      if (event.type !== 'text') continue
      const shared = Math.min(due.length, event.text.length)
      if (event.text.slice(0, shared) !== due.slice(0, shared)) throw restarted()
      due = due.slice(shared)
      const text = event.text.slice(shared)
      if (text === '') continue
      given += text
      yield text
    }
  }
  if (due !== '' && !signal?.aborted) throw restarted()
}

function restarted(): Error {
  return createCapError({
    kind: 'runtime',
    code: 'restarted',
    severity: 'TRANSIENT',
    message: 'The agent began the answer again and says something else, so the text so far no longer counts. Ask again, or use assist() to follow a restart.',
  })
}
