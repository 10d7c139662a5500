import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { toRequest, writeHead } from '../../playground/server/node-fetch.ts'
import type { AgentHandler } from '../../src/server/handler/agent-handler.ts'
import { serve } from '../server/peer.ts'

/** How the answer to one request ends: after so many bytes of its body, by a reset or as if all was said. */
export interface Cut {
  readonly afterBytes: number
  readonly how: 'reset' | 'end'
  /** Bytes per write; everything at once when left out. */
  readonly pieces?: number
}

export interface SeenRequest {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface CuttingServer {
  readonly origin: string
  readonly seen: readonly SeenRequest[]
  /** Resolves when no answer is under way. */
  rest(): Promise<void>
}

/** Serves a handler on a socket that the n-th cut of the list cuts in the n-th answer; later answers are whole. */
export async function serveCut(handler: AgentHandler, cuts: readonly Cut[]): Promise<CuttingServer> {
  const seen: SeenRequest[] = []
  const open = new Set<Promise<unknown>>()
  const origin = await serve((req, res) => {
    const chunks: Buffer[] = []
    const closed = once(res, 'close').finally(() => open.delete(closed))
    open.add(closed)
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks)
      const cut = cuts[seen.length]
      seen.push({ headers: req.headers, body: body.toString() })
      void answer(body, cut)
    })
    async function answer(body: Buffer, cut: Cut | undefined): Promise<void> {
      const response = await handler(toRequest(req, res, body))
      writeHead(response, res)
      let left = cut?.afterBytes ?? Number.POSITIVE_INFINITY
      for await (const chunk of response.body ?? []) {
        const size = cut?.pieces ?? chunk.byteLength
        for (let at = 0; at < chunk.byteLength && left > 0; at += size) {
          const piece = chunk.subarray(at, Math.min(at + size, at + left))
          left -= piece.byteLength
          await new Promise((resolve) => res.write(piece, resolve))
        }
        if (left <= 0) break
      }
      if (left > 0 || cut?.how === 'end') res.end()
      // The last bytes are on their way before the reset overtakes them.
      else setImmediate(() => res.destroy())
    }
  })
  return {
    origin,
    seen,
    async rest() {
      await Promise.all(open)
    },
  }
}
