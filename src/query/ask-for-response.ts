import type { CapClient } from '../protocols/cap/client/cap-client.ts'
import { createCapError } from '../protocols/cap/errors.ts'
import type { ServiceRequestInput } from '../protocols/cap/schema/request.ts'
import type { ServiceResponse } from '../protocols/cap/schema/response.ts'

/** A request that is answered with JSON, all at once. @throws CapError like `CapClient.assist`; `unexpected_content_type` when the agent streams */
export async function askForResponse(
  client: CapClient,
  request: ServiceRequestInput,
  signal?: AbortSignal,
): Promise<ServiceResponse> {
  const stream = client.assist(request, signal === undefined ? {} : { signal })
  for await (const packet of stream) throw streamed(packet.op)
  if (stream.response !== undefined) return stream.response
  signal?.throwIfAborted()
  throw streamed('no packet')
}

function streamed(what: string): Error {
  return createCapError({
    kind: 'protocol',
    code: 'unexpected_content_type',
    severity: 'FATAL',
    message:
      'The agent answers with a stream, and one JSON ServiceResponse was expected. Ask with assistStreamQueryOptions to show it while it grows.',
    details: { first: what },
  })
}
