import type { ServiceRequestInput } from '../schema/request.ts'
import type { ServiceResponse } from '../schema/response.ts'
import type { CapPacket } from '../read/wire-packet.ts'
import type { AgentClient } from '../../../session/agent-client.ts'
import { iterateRun, type RunLog } from '../../../session/iterate-run.ts'

/**
 * The packets of one run. Nothing is sent before iteration begins; iterate once. When the agent answers with
 * JSON in place of a stream there are no packets: `response` holds the ServiceResponse after the loop.
 */
export class AssistStream implements AsyncIterable<CapPacket> {
  readonly requestId: string
  /** The JSON answer, once the run has finished with one. */
  response: ServiceResponse | undefined
  /**
   * How often the agent began its answer again. Packets that came before the newest restart no longer count; compare it in the
   * loop, for packets without `stream_id` do not show that they belong to another answer.
   */
  restarts = 0
  readonly #packets: AsyncIterator<CapPacket>

  constructor(
    client: AgentClient<ServiceRequestInput, CapPacket>,
    request: ServiceRequestInput,
    signal?: AbortSignal,
    log?: RunLog,
  ) {
    this.requestId = request.request_id
    this.#packets = iterateRun({
      client,
      requestId: this.requestId,
      signal,
      log,
      createRequest: () => request,
      read: ({ event, source }) => {
        // The result of a run is always a ServiceResponse validated by the adapter.
        if (event.type === 'run-finished') this.response = event.response as ServiceResponse | undefined
        if (event.type === 'diagnostic' && event.diagnostic.kind === 'restarted') this.restarts += 1
        return source
      },
    })
  }

  [Symbol.asyncIterator](): AsyncIterator<CapPacket> {
    return this.#packets
  }
}
