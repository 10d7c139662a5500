import { createAgentHandler } from '../../dist/server.js'

/** A handler that carries runs out over one log, and one that answers over another: two processes, as far as a log can tell. */
export function makeServer(log, elsewhere = log) {
  const agent = async function* (request, run) {
    const { packets, slowly } = request.payload.payload
    for (let packet = 0; packet < packets; packet++) {
      // A model speaks in bursts: many packets arrive together, and not all at once.
      if (slowly && packet % 10 === 0) await run.sleep(1)
      yield `packet ${packet} of an answer about rivers `
    }
  }
  const owner = createAgentHandler({ agent, log })
  const answerer = elsewhere === log ? owner : createAgentHandler({ agent, log: elsewhere })
  const server = {
    /** Answers a request; the run is carried out by the owner. */
    async ask(requestId, payload) {
      if (answerer !== owner) await (await owner(post(requestId, payload))).body.cancel()
      return answerer(post(requestId, payload))
    },
    again: (requestId, payload) => answerer(post(requestId, payload)),
    async prepare(packets) {
      server.prepared = { requestId: crypto.randomUUID(), packets }
      const got = await packetsOf(await server.ask(server.prepared.requestId, { packets }))
      check(got, packets)
    },
    prepared: undefined,
  }
  return server
}

/** Many answers, so many at once. */
export async function runMany(server, { runs, atOnce, packets }) {
  let left = runs
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) check(await packetsOf(await server.ask(crypto.randomUUID(), { packets })), packets)
    }),
  )
}

/** A client that comes back to a finished answer, and reads all of it or so many packets. */
export async function replay(server, most = Infinity) {
  const { requestId, packets } = server.prepared
  const got = await packetsOf(await server.again(requestId, { packets }), most)
  if (most === Infinity) check(got, packets)
}

/** One run, and many who follow it from the start. */
export async function followOne(server, { packets, followers }) {
  const requestId = crypto.randomUUID()
  const payload = { packets, slowly: true }
  const first = await server.ask(requestId, payload)
  const others = Array.from({ length: followers - 1 }, async () => packetsOf(await server.again(requestId, payload)))
  for (const got of await Promise.all([packetsOf(first), ...others])) check(got, packets)
}

const utf8 = new TextDecoder()

async function packetsOf(response, most = Infinity) {
  let packets = 0
  for await (const chunk of response.body) {
    packets += utf8.decode(chunk).split('\ndata: ').length - 1
    if (packets >= most) break
  }
  return packets
}

function check(got, packets) {
  if (got !== packets + 1) throw new Error(`A reader got ${got} packets of ${packets} and CLOSE.`)
}

function post(requestId, payload) {
  const session_id = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'
  const id = '3f1f9a30-8f77-4a53-9a0a-31b6b5a5c001'
  const context = {
    session_id,
    agent_id: id,
    user: { user_id: 'bench', tier: 'free', locale: 'en' },
    trace: { trace_id: id, span_id: id },
    permissions: [],
    created_at: '2026-03-01T08:15:00Z',
  }
  const body = JSON.stringify({ request_id: requestId, context, payload: { session_id, payload } })
  return new Request('http://agent.example/assist', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
}
