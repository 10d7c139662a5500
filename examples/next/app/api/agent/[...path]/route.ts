import type { NextRequest } from 'next/server'

const FORWARDED = ['accept', 'content-type', 'last-event-id', 'x-request-id']

/** POST /api/agent/assist: the page's question goes on to the agent, with the key. */
export async function POST(request: NextRequest): Promise<Response> {
  const visitor = request.cookies.get('visitor')?.value
  if (visitor === undefined) return new Response(null, { status: 401 })
  const headers = new Headers({ authorization: `Bearer ${process.env.AGENT_KEY}`, 'x-visitor': visitor })
  for (const name of FORWARDED) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const answer = await fetch(`${process.env.AGENT_URL}/v1/assist`, { method: 'POST', headers, body: await request.text(), signal: request.signal })
  return new Response(answer.body, {
    status: answer.status,
    headers: { 'content-type': answer.headers.get('content-type') ?? 'text/plain', 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
  })
}
