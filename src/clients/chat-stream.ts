import { createCapError } from '../protocols/cap/cap-error.ts'
import type { ServiceRequestInput } from '../protocols/cap/request.ts'
import type { CapPacket } from '../protocols/cap/wire-packet.ts'
import type { ChatInput } from '../protocols/protocol.ts'
import type { AgentClient } from '../session/agent-client.ts'
import { iterateRun } from './iterate-run.ts'
import type { RunLog } from './run-log.ts'

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
  let said = false
  for await (const events of iterateRun(client, request, input.requestId, signal, log)) {
    for (const { event } of events) {
      if (signal?.aborted) return
      if (event.type === 'text' && event.text !== '') {
        said = true
        yield event.text
      }
      // A plain sequence of strings cannot take back what it gave: better an error than a mixed answer.
      if (said && event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') throw restarted()
    }
  }
}

function restarted(): Error {
  return createCapError({
    kind: 'runtime',
    code: 'restarted',
    severity: 'TRANSIENT',
    message: 'The agent lost its record and began the answer again, so the text so far no longer counts. Ask again, or use assist() to follow a restart.',
  })
}
