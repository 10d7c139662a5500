import { request } from 'node:http'
import type { StreamPacket } from '../../src/protocols/cap/schema/packet.ts'
import { streamPacketSchema } from '../../src/protocols/cap/schema/packet.ts'
import { createSseDecoder } from '../../src/wire/sse-decoder.ts'
import { requestBody, type Asking } from '../server/peer.ts'

export interface Heard {
  readonly packets: readonly StreamPacket[]
  /** The connection broke before the response had ended. */
  readonly cut: boolean
}

/** Posts and listens to the end. Unlike fetch it keeps what came before a cut. */
export function hear(origin: string, asking: Asking, headers: Record<string, string> = {}): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const packets: StreamPacket[] = []
    const decoder = createSseDecoder({
      onFrame: (frame) => packets.push(streamPacketSchema.parse(JSON.parse(frame.data))),
      maxFrameBytes: 1_000_000,
    })
    const post = request(
      `${origin}/cap/v1/assist`,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        response.on('data', (bytes: Uint8Array) => decoder.push(bytes))
        response.on('error', () => {})
        response.on('close', () => resolve({ packets, cut: !response.complete }))
      },
    )
    post.on('error', reject)
    post.end(JSON.stringify(requestBody(asking)))
  })
}
