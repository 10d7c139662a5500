import { readFileSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { expect, it, vi } from 'vitest'
import { CapClient } from '../../src/index.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { createChat } from '../../src/state/chat.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import { ROOT } from '../layers/files.ts'

const HEADING = "## How do users answer an agent whose server is not capstan's?"
const USER = 'ann'
const STREAM = '11111111-1111-4111-8111-111111111111'

interface Recipe {
  mayI(user: string, runId: string, input: object, write: (event: object) => void): Promise<boolean>
  answerRun(http: Request, user: string, runId: string): Promise<Response>
}

async function readRecipe(): Promise<Recipe> {
  const page = readFileSync(`${ROOT}docs/cap.md`, 'utf8')
  const [, code] = /```ts\n([\s\S]*?)```/.exec(page.slice(page.indexOf(HEADING))) ?? []
  expect(page).toContain(HEADING)
  const { code: script } = transformSync(code ?? '', { loader: 'ts', format: 'esm' })
  // It exports what the guide says it does.
  return (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as Recipe
}

/** A server that has nothing of capstan but the recipe. */
function serve({ mayI, answerRun }: Recipe, sent: object[]): (http: Request) => Promise<Response> {
  return async (http) => {
    const { pathname } = new URL(http.url)
    const runId = http.headers.get('x-request-id') ?? ''
    const [, answered] = /\/runs\/(.+)\/answer$/.exec(pathname) ?? []
    if (answered !== undefined) return answerRun(http, USER, decodeURIComponent(answered))
    const input = { to: 'Bob' }
    let seq = 0
    const body = new ReadableStream<Uint8Array>({
      async start(stream) {
        const say = (op: string, p: unknown): void => {
          const packet = { stream_id: STREAM, seq: (seq += 1), op, t: new Date(0).toISOString(), p }
          stream.enqueue(new TextEncoder().encode(`event: stream.packet\ndata: ${JSON.stringify(packet)}\n\n`))
        }
        say('DELTA', 'One moment. ')
        const isAllowed = await mayI(USER, runId, input, (event) => say('EVENT', event))
        if (isAllowed) sent.push(input)
        say('DELTA', isAllowed ? 'It is sent.' : 'Then not.')
        say('CLOSE', 'done')
        stream.close()
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cap-control': 'answer' } })
  }
}

it.each([
  ['yes', 'It is sent.', 1],
  ['no', 'Then not.', 0],
])('the recipe for other servers asks, hears "%s" once, and does what was allowed', async (optionId, says, times) => {
  const sent: object[] = []
  const respond = serve(await readRecipe(), sent)
  const statuses: number[] = []
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    environment: { random: () => 0 },
    async fetch(url, init) {
      const response = await respond(new Request(url, init))
      if (!url.includes('/runs/')) return response
      statuses.push(response.status)
      // The first confirmation is lost, so that the answer is sent again.
      if (statuses.length === 1) throw new TypeError('The connection was reset.')
      return response
    },
  })
  const chat: ChatInstance = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  const done = chat.sendMessage('Write to Bob')
  const prompts = () => chat.getSnapshot().messages.flatMap(promptsOf)
  await vi.waitFor(() => expect(prompts()[0]?.state).toBe('open'), { timeout: 20_000 })
  const [{ id, subject } = { id: '' }] = prompts()
  expect(await chat.answer(id, { type: 'option', optionId, digest: 'another' })).toMatchObject({ status: 'refused' })
  expect(await chat.answer(id, { type: 'option', optionId, digest: subject?.digest })).toEqual({ status: 'accepted' })
  await done
  expect(statuses).toEqual([200, 200])
  expect(sent).toHaveLength(times)
  expect(prompts()[0]?.state).toBe('answered')
  expect(chat.getSnapshot().messages[1]?.parts.map((part) => (part.type === 'text' ? part.text : part.type))).toEqual([
    'One moment. ',
    'prompt',
    says,
  ])
})
