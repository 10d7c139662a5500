import * as z from 'zod/mini'
import type { NetworkControl } from './network-control.ts'
import { packetGenerations } from './network-state.ts'

const requestId = z.optional(z.string())
const milliseconds = z.optional(z.number().check(z.minimum(0), z.maximum(60_000)))

const commandSchema = z.discriminatedUnion('action', [
  z.object({ action: z.literal('drop'), requestId }),
  z.object({ action: z.literal('silence'), on: z.optional(z.boolean()), requestId }),
  z.object({
    action: z.literal('shape'),
    latencyMs: milliseconds,
    jitterMs: milliseconds,
    chunkBytes: z.optional(z.int().check(z.minimum(0))),
    replayFromStart: z.optional(z.boolean()),
    generation: z.optional(z.enum(packetGenerations)),
  }),
  z.object({
    action: z.literal('cut'),
    afterBytes: z.int().check(z.minimum(1)),
    times: z.optional(z.int().check(z.minimum(1))),
    requestId,
  }),
  z.object({ action: z.literal('lose-log'), requestId }),
  z.object({ action: z.literal('clear') }),
])

/** GET gives the state (`?requestId=` narrows it to one run, log included), POST takes a command. For the playground's own page only. */
export async function networkResponse(http: Request, network: NetworkControl): Promise<Response> {
  const url = new URL(http.url)
  const origin = http.headers.get('origin')
  if (origin !== null && origin !== url.origin)
    return refuse(403, 'The network is controlled from the page of this server only.')
  if (http.method === 'GET')
    return Response.json(network.state(url.searchParams.get('requestId') ?? undefined), { headers: NOT_STORED })
  if (http.method !== 'POST') return refuse(405, 'Send GET or POST.')
  // A type no form can send: other pages would need a permission that is never given.
  if (!http.headers.get('content-type')?.startsWith('application/json')) return refuse(415, 'Send JSON.')
  const parsed = commandSchema.safeParse(await http.json().catch(() => undefined))
  if (!parsed.success)
    return refuse(400, 'Send {"action": "drop" | "silence" | "shape" | "cut" | "lose-log" | "clear", ...}.')
  return Response.json(await network.command(parsed.data), { headers: NOT_STORED })
}

const NOT_STORED = { 'cache-control': 'no-store' }

function refuse(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: NOT_STORED })
}
