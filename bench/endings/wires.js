// The same answer over three protocols: what a server streams, and the frame with which it says that it failed.
import { createAgentHandler, fatal } from '../../dist/server.js'

export const QUESTION = 'Why do rivers meander?'
export const HALF = 'Rivers meander '
export const WHOLE = 'Rivers meander because banks wear away.'
const DELTAS = ['Rivers ', 'meander ', 'because banks ', 'wear away.']

const frames = (events) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)

/** A server without a log: it answers a POST, and knows nothing of a stream that was cut. */
function answering(events, errorEvent, headers) {
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 404 })
    const body = await request.json()
    return {
      headers: { 'content-type': 'text/event-stream', ...headers },
      frames: frames(events(body)),
      error: frames([errorEvent])[0],
    }
  }
}

const aiSdk = answering(
  () => [
    { type: 'start', messageId: 'message' },
    { type: 'text-start', id: 'text' },
    ...DELTAS.map((delta) => ({ type: 'text-delta', id: 'text', delta })),
    { type: 'text-end', id: 'text' },
    { type: 'finish', finishReason: 'stop' },
    '[DONE]',
  ],
  { type: 'error', errorText: 'The model failed.' },
  { 'x-vercel-ai-ui-message-stream': 'v1' },
)

const agUi = answering(
  ({ threadId, runId }) => [
    { type: 'RUN_STARTED', threadId, runId },
    { type: 'TEXT_MESSAGE_START', messageId: 'message', role: 'assistant' },
    ...DELTAS.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'message', delta })),
    { type: 'TEXT_MESSAGE_END', messageId: 'message' },
    { type: 'RUN_FINISHED', threadId, runId },
  ],
  { type: 'RUN_ERROR', message: 'The model failed.' },
)

/** `createAgentHandler`, which keeps what an agent said for clients that come back. */
function cap() {
  const handlers = { fails: handlerOf('fails'), waits: handlerOf('waits'), answers: handlerOf('answers') }
  return async (request, does) => handlers[does](request)
}

function handlerOf(does) {
  return createAgentHandler({
    onError: () => {},
    agent: async function* (_request, run) {
      yield* DELTAS.slice(0, 2)
      if (does === 'fails') yield fatal('model_failed', 'The model failed.')
      else if (does === 'waits') await run.sleep(3_600_000)
      else yield* DELTAS.slice(2)
    },
  })
}

/** What answers requests of each protocol: frames that the server breaks, or a response of CAP, whose body it breaks. */
export const WIRES = { 'ai-sdk': () => aiSdk, 'ag-ui': () => agUi, cap }
