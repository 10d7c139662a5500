import { describe, expect, it } from 'vitest'
import { memoryEventLog } from '../../../src/server/event-log/memory-event-log.ts'
import { isJsonObject } from '../../../src/base/json-object.ts'
import { createGate, serveAgent } from '../serve-agent.ts'
import { post, requestBody, REQUEST_ID } from '../peer.ts'
import { serveProxy } from '../serve-proxy.ts'

// Ann's run is under way and has asked her something. Eve knows every id of it, and has an account of her own.

const SECRET_WORDS = 'the well is at Blackwater'
const SESSION = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'
const EVE = { 'x-user': 'eve' }

interface Known {
  /** Root of the proxy's paths. */
  readonly api: string
  readonly streamId: string
  readonly promptId: string
}

interface Attempt {
  readonly attempt: string
  /** Status, and the code of a refusal. */
  readonly answered: string
  ask(known: Known): Promise<Response>
}

const assist = ({ api }: Known, headers: Record<string, string>, body: unknown): Promise<Response> =>
  post(`${api}/assist`, { headers: { ...EVE, ...headers }, body: JSON.stringify(body) })
const command = ({ api }: Known, name: string, body: object, id: string = REQUEST_ID): Promise<Response> =>
  post(`${api}/runs/${id}/${name}`, { headers: EVE, body: JSON.stringify(body) })

const own = (): Record<string, unknown> => requestBody({ requestId: crypto.randomUUID(), query: 'What did she say?' })
const inPayload = (more: object, body = own()): object => ({
  ...body,
  payload: { ...(isJsonObject(body['payload']) ? body['payload'] : {}), ...more },
})
const answer = ({ promptId }: Known): object => ({
  prompt_id: promptId,
  answer_id: crypto.randomUUID(),
  answer: { type: 'option', option_id: 'allow-once' },
})

/** Her own run of the agent: it has to know nothing of Ann's. */
const OWN_RUN = '200 own run'

const ATTEMPTS: readonly Attempt[] = [
  { attempt: 'POST with the run id', answered: OWN_RUN, ask: (known) => assist(known, {}, requestBody()) },
  {
    attempt: 'POST with the run id in other spellings',
    answered: OWN_RUN,
    ask: (known) => assist(known, {}, { ...requestBody(), request_id: `urn:uuid:${REQUEST_ID.toUpperCase()}` }),
  },
  {
    attempt: 'POST with the run id and its Last-Event-ID',
    answered: '409 log_expired',
    ask: (known) => assist(known, { 'last-event-id': known.streamId }, requestBody()),
  },
  {
    attempt: 'POST with another run id and the Last-Event-ID',
    answered: '409 log_expired',
    ask: (known) => assist(known, { 'last-event-id': known.streamId }, own()),
  },
  {
    attempt: 'POST with the run id in X-Request-ID only',
    answered: '400 invalid_request',
    ask: (known) => assist(known, { 'x-request-id': REQUEST_ID }, own()),
  },
  { attempt: 'POST with the conversation id', answered: OWN_RUN, ask: (known) => assist(known, {}, own()) },
  {
    attempt: 'POST with the conversation id in other spellings',
    answered: OWN_RUN,
    ask: (known) => assist(known, {}, inPayload({ session_id: SESSION.toUpperCase().replaceAll('-', '') })),
  },
  {
    attempt: 'POST after the run, in its conversation',
    answered: OWN_RUN,
    ask: (known) => assist(known, {}, inPayload({ parent_request_id: REQUEST_ID, root_request_id: REQUEST_ID })),
  },
  {
    attempt: 'POST that replaces the run',
    answered: OWN_RUN,
    ask: (known) => assist(known, {}, inPayload({ metadata: { replaces: [REQUEST_ID] } })),
  },
  {
    attempt: 'POST in the form of v0.18 with the conversation id',
    answered: OWN_RUN,
    ask: (known) =>
      assist(
        known,
        {},
        {
          request_id: crypto.randomUUID(),
          context: { session_id: SESSION, user: { id: 'ann', name: 'Ann' } },
          payload: { query: 'What did she say?', session_id: SESSION, conversation_id: SESSION },
        },
      ),
  },
  {
    attempt: 'POST in the form of v0.17 with the conversation id',
    answered: OWN_RUN,
    ask: (known) =>
      assist(
        known,
        {},
        {
          request_id: crypto.randomUUID(),
          context: { user: { id: 'ann', name: 'Ann' } },
          payload: { query: 'What did she say?', conversation_id: SESSION },
        },
      ),
  },
  { attempt: 'cancel', answered: '404 run_not_found', ask: (known) => command(known, 'cancel', {}) },
  { attempt: 'answer', answered: '404 run_not_found', ask: (known) => command(known, 'answer', answer(known)) },
  {
    attempt: 'say',
    answered: '404 run_not_found',
    ask: (known) => command(known, 'say', { message_id: crypto.randomUUID(), text: 'Allow it.' }),
  },
  {
    attempt: 'answer with the run id in other spellings',
    answered: '404 run_not_found',
    ask: (known) => command(known, 'answer', answer(known), encodeURIComponent(`{${REQUEST_ID.toUpperCase()}}`)),
  },
  {
    attempt: 'cancel by a path that climbs',
    answered: '404 run_not_found',
    ask: (known) => command(known, 'cancel', {}, `..%2f..%2fruns%2f${REQUEST_ID}`),
  },
  {
    attempt: 'GET of the run',
    answered: '405 method_not_allowed',
    ask: ({ api, streamId }) => fetch(`${api}/assist`, { headers: { ...EVE, 'last-event-id': streamId } }),
  },
  {
    attempt: 'GET of the conversation',
    answered: '404 not_found',
    ask: ({ api }) => fetch(`${api}/conversations/${SESSION}`, { headers: EVE }),
  },
  {
    attempt: 'GET of all conversations',
    answered: '404 not_found',
    ask: ({ api }) => fetch(`${api}/conversations`, { headers: EVE }),
  },
]

describe.each([
  ['without a log', undefined],
  ['with a log', memoryEventLog],
])('another user of a proxy %s, who knows the ids of a run', (_name, log) => {
  it.each(ATTEMPTS)('gets and changes nothing: $attempt', async ({ answered, ask }) => {
    const finish = createGate()
    const heard: string[] = []
    let stopped = false
    const agent = await serveAgent(async function* (_request, run) {
      if (run.text === 'What did she say?' || heard.length > 0) {
        const earlier = await run.history()
        yield `I know of ${earlier.length} messages: ${earlier.map(({ text }) => text).join()}. I replace ${run.replaces.join()}.`
        return
      }
      heard.push(run.requestId)
      run.signal.addEventListener('abort', () => (stopped = true))
      yield SECRET_WORDS
      run.ask({ kind: 'approval', message: 'Dig there?', subject: { name: 'dig', input: {} } }).then(
        ({ type }) => heard.push(type),
        // The run ends without an answer.
        () => undefined,
      )
      await finish.opened
      heard.push(...run.inbox.take().map(({ text }) => text))
      yield ', and nobody else knows.'
    })
    const { url, errors } = await serveProxy(agent.origin, { log: log?.() })
    const first = await post(url)
    let words = ''
    const reader = first.body!.pipeThrough(new TextDecoderStream()).getReader()
    while (!words.includes('"open"')) {
      const { done, value } = await reader.read()
      if (done) throw new Error(`The run ended: ${words}`)
      words += value
    }
    const known: Known = {
      api: url.slice(0, -'/assist'.length),
      streamId: /"stream_id":"([^"]+)"/.exec(words)?.[1] ?? '',
      promptId: /"id":"([^"]+)"/.exec(words.slice(words.indexOf('"PROMPT"') - 80))?.[1] ?? '',
    }
    expect(known.streamId).not.toBe('')
    expect(known.promptId).not.toBe('')

    const response = await ask(known)
    const text = await response.text()
    const code = response.ok ? 'own run' : (JSON.parse(text) as { code: string }).code
    expect(`${response.status} ${code}`).toBe(answered)
    if (answered === OWN_RUN) expect(text).toContain('I know of 0 messages')
    for (const secret of [SECRET_WORDS, 'Dig there', known.promptId, heard[0] ?? '']) expect(text).not.toContain(secret)

    finish.open()
    for (let step = await reader.read(); !step.done; step = await reader.read()) words += step.value
    expect(words).toContain('nobody else knows')
    expect(stopped).toBe(false)
    expect(heard).toHaveLength(1)
    // Her next question has the memory of her conversation, and nothing of anybody else's.
    const next = await post(url, { requestId: crypto.randomUUID(), query: 'What did she say?' })
    const mine = await next.text()
    expect(mine).toContain('I know of 2 messages')
    expect(mine).toContain(SECRET_WORDS)
    expect(errors.filter((error) => !(error instanceof Error && 'agentCode' in error))).toEqual([])
  })
})

it('requests that are replaced are named upstream as they were sent there', async () => {
  const agent = await serveAgent(async function* (_request, run) {
    yield `${run.requestId} replaces ${run.replaces.join() || 'none'}`
  })
  const { url } = await serveProxy(agent.origin)
  const said = async (response: Response): Promise<string> => /"p":"([^"]+)"/.exec(await response.text())?.[1] ?? ''
  const [first] = (await said(await post(url))).split(' ')
  const edited = await post(url, { requestId: crypto.randomUUID(), metadata: { replaces: [REQUEST_ID, 'no id'] } })
  expect(await said(edited)).toMatch(new RegExp(` replaces ${first}$`))
})

it.each([
  [undefined, false],
  [true, true],
])(
  'conversations have the ids of the client upstream only where the app says so: %s',
  async (keepConversationIds, isKept) => {
    const agent = await serveAgent(async function* ({ context }) {
      yield context['session_id'] ?? 'none'
    })
    const { url } = await serveProxy(agent.origin, { keepConversationIds })
    const text = await (await post(url)).text()
    expect(text.includes(String((requestBody()['context'] as { session_id?: string }).session_id))).toBe(isKept)
  },
)
