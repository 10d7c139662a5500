import { describe, expect, it } from 'vitest'
import { type CapClientOptions, CapClient, type AssistStream } from '../../../../src/protocols/cap/client/cap-client.ts'
import { capProtocol } from '../../../../src/protocols/cap/adapter.ts'
import type { ServiceRequestInput } from '../../../../src/protocols/cap/schema/request.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import { createAssist } from '../../../../src/state/assist.ts'
import { createChat } from '../../../../src/state/chat.ts'
import type { ChatInstance } from '../../../../src/state/chat.ts'
import { textOf } from '../../../../src/state/turn.ts'
import { fetchTransport } from '../../../../src/wire/fetch-transport.ts'
import { REQUEST_ID, requestBody } from '../../../server/peer.ts'

const ID = '6c1d5d0e-2f43-4f4c-8f0a-6d3f8b1f2a20'
const STREAM = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
const delta = (p: string): object => ({ op: 'delta', p })
const numbered = (seq: number, op: string, p: string): object => ({
  stream_id: STREAM,
  seq,
  op,
  t: '2026-03-01T08:15:00Z',
  p,
})
const CLOSE = { op: 'close', p: null }
const TRANSIENT = { op: 'error', p: { code: 'busy', message: 'Busy.', severity: 'transient' } }

/** What one connection gives, and how it ends: `end` as if all was said, `break` by a reset, `hold` not at all. A string is the text of a JSON answer. */
type Connection = { readonly packets: readonly object[]; readonly ending?: 'end' | 'break' | 'hold' } | string
const connection = (...packets: readonly object[]): Connection => ({ packets })

interface Posted {
  readonly id: string | null
  readonly lastEventId: string | null
  readonly body: string
}

/** An agent that answers every request with the next of the connections, and the last one again and again. */
function agentOf(connections: readonly Connection[], options: Partial<CapClientOptions> = {}, sseId?: string) {
  const posted: Posted[] = []
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    posted.push({
      id: headers.get('x-request-id'),
      lastEventId: headers.get('last-event-id'),
      body: init.body as string,
    }) // this client writes its bodies as text
    const now = connections[Math.min(posted.length, connections.length) - 1] ?? ''
    if (typeof now === 'string')
      return Response.json({
        request_id: headers.get('x-request-id'),
        created_at: '2026-03-01T08:15:00Z',
        output: { text: now },
      })
    const { packets, ending = 'end' } = now
    const frames = packets.map(
      (packet, index) => `${sseId === undefined ? '' : `id: ${sseId}-${index}\n`}data: ${JSON.stringify(packet)}\n\n`,
    )
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => frames.forEach((frame) => controller.enqueue(new TextEncoder().encode(frame))),
      async pull(controller) {
        if (ending === 'end') controller.close()
        if (ending === 'break') controller.error(new TypeError('terminated'))
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const client = new CapClient({
    baseUrl: 'https://agent.example',
    fetch,
    retry: backoff({ baseMs: 1, capMs: 1 }),
    ...options,
  })
  return { client, fetch, posted }
}

const restart = { onUnresumable: 'restart' } as const

/** The peer's builder writes exactly this shape. */
const askFully = (): ServiceRequestInput => requestBody() as unknown as ServiceRequestInput

/** The deltas of `chat()`, and how they end. */
async function heard(client: CapClient): Promise<{ readonly text: string; readonly error: unknown }> {
  let text = ''
  try {
    for await (const piece of client.chat('Hello')) text += piece
  } catch (error) {
    return { text, error }
  }
  return { text, error: undefined }
}

/** Everything a chat shows until its run has ended, each state once. */
async function shown(
  client: CapClient,
  use: (chat: ChatInstance) => Promise<unknown> = (chat) => chat.sendMessage('Hello'),
) {
  const chat = createChat({ conversationId: ID, client: () => client })
  const states: string[] = []
  const look = (): void => {
    const answers = chat.getSnapshot().messages.filter(({ role }) => role === 'assistant')
    const state = answers
      .map((message) => `${message.status}${message.restarted ? ' restarted' : ''}: ${textOf(message)}`)
      .join(' | ')
    if (states.at(-1) !== state) states.push(state)
  }
  const unsubscribe = chat.subscribe(look)
  await use(chat)
  look()
  unsubscribe()
  return { chat, states, last: states.at(-1) }
}

describe('an unnumbered answer that breaks off, without an option that says otherwise', () => {
  it.each<'end' | 'break'>(['end', 'break'])('ends as incomplete, and nothing is sent again: %s', async (ending) => {
    for (const options of [{}, { onUnresumable: 'fail' } as const]) {
      const { client, posted } = agentOf([{ packets: [delta('Half')], ending }], options)
      const { last } = await shown(client)
      expect(last).toBe('incomplete: Half')
      expect(posted).toHaveLength(1)
    }
  })

  it('is not asked for again when it was left and shown again, and its text is not doubled', async () => {
    const { client, posted } = agentOf([
      { packets: [delta('Half')], ending: 'hold' },
      connection(delta('Half'), delta(' and half.'), CLOSE),
    ])
    const { last, chat } = await shown(client, async (left) => {
      const ended = left.sendMessage('Hello')
      await expect.poll(() => textOf(left.getSnapshot().messages[1]!)).toBe('Half')
      await left.disconnect()
      await left.resume()
      await ended
    })
    expect(last).toBe('incomplete: Half')
    expect(chat.getSnapshot().error).toMatchObject({ name: 'CapConnectionError', code: 'truncated', retryable: false })
    expect(posted).toHaveLength(1)
  })
})

describe('an unnumbered answer that breaks off, with onUnresumable: restart', () => {
  const whole = connection(delta('Whole'), delta(' answer.'), CLOSE)

  it.each<'end' | 'break'>(['end', 'break'])(
    'is shown from its start when the agent answers again: %s',
    async (ending) => {
      const { client, posted } = agentOf([{ packets: [delta('Half')], ending }, whole], restart)
      const { last, states } = await shown(client)
      expect(last).toBe('complete restarted: Whole answer.')
      // At every moment the beginning of one of the two answers.
      for (const state of states)
        expect(
          ['Half', 'Whole answer.'].some((answer) => answer.startsWith(state.replace(/^[^:]*: ?/, ''))),
          state,
        ).toBe(true)
      expect(posted).toHaveLength(2)
    },
  )

  it('is asked for with the same bytes under the same id, and without Last-Event-ID', async () => {
    const { client, posted } = agentOf([connection(delta('Half')), connection(delta('Half')), whole], restart, 'e')
    expect((await shown(client)).last).toBe('complete restarted: Whole answer.')
    expect(posted).toHaveLength(3)
    expect(new Set(posted.map(({ id }) => id)).size).toBe(1)
    expect(new Set(posted.map(({ body }) => body)).size).toBe(1)
    expect(posted.map(({ lastEventId }) => lastEventId)).toEqual([null, null, null])
  })

  it('is asked for at most maxRetries times, however much each answer brings', async () => {
    const { client, posted } = agentOf([connection(delta('One'), delta(' two'))], {
      ...restart,
      retry: backoff({ baseMs: 1, capMs: 1, maxAttempts: 2 }),
    })
    const { last, chat } = await shown(client)
    expect(last).toBe('incomplete restarted: One two')
    expect(posted).toHaveLength(3)
    expect(chat.getSnapshot().error).toMatchObject({ code: 'truncated', retryable: true })
  })

  it('begins again when a user asks to continue after that', async () => {
    const { client, posted } = agentOf([connection(delta('Half')), whole], {
      ...restart,
      retry: backoff({ maxAttempts: 0 }),
    })
    const { last } = await shown(client, async (chat) => {
      await chat.sendMessage('Hello')
      await chat.retry()
    })
    expect(last).toBe('complete restarted: Whole answer.')
    expect(posted.map(({ id }) => id)).toEqual([posted[0]?.id, posted[0]?.id])
  })

  it('begins again when it was left and shown again', async () => {
    const { client } = agentOf([{ packets: [delta('Half')], ending: 'hold' }, whole], restart)
    const { last } = await shown(client, async (chat) => {
      const ended = chat.sendMessage('Hello')
      await expect.poll(() => textOf(chat.getSnapshot().messages[1]!)).toBe('Half')
      await chat.disconnect()
      void chat.resume()
      await ended
    })
    expect(last).toBe('complete restarted: Whole answer.')
  })

  it('begins again after a TRANSIENT error', async () => {
    const { client, posted } = agentOf([connection(delta('Half'), TRANSIENT), whole], restart)
    expect((await shown(client)).last).toBe('complete restarted: Whole answer.')
    expect(posted).toHaveLength(2)
  })

  it('begins again each time it breaks off', async () => {
    const { client } = agentOf(
      [connection(delta('A')), connection(delta('B')), connection(delta('C')), connection(delta('D'), CLOSE)],
      restart,
    )
    const { last, states } = await shown(client)
    expect(last).toBe('complete restarted: D')
    for (const state of states) expect(state).not.toMatch(/[A-D]{2}/)
  })

  it('gives way as a whole to a JSON answer that comes in its place', async () => {
    const { client } = agentOf([connection(delta('Half')), 'Whole answer.'], restart)
    expect((await shown(client)).last).toBe('complete restarted: Whole answer.')
  })

  it('begins again after a reload of the page', async () => {
    const { client } = agentOf([connection(delta('Half')), whole], restart)
    const { chat } = await shown(
      agentOf([{ packets: [delta('Half')], ending: 'hold' }], restart).client,
      async (left) => {
        void left.sendMessage('Hello')
        await expect.poll(() => textOf(left.getSnapshot().messages[1]!)).toBe('Half')
        await left.disconnect()
      },
    )
    const reloaded = createChat({
      conversationId: ID,
      client: () => client,
      initialState: structuredClone(chat.capture()),
    })
    await reloaded.resume()
    expect(reloaded.getSnapshot().messages.map((message) => `${message.status}: ${textOf(message)}`)).toEqual([
      'sent: Hello',
      'complete: Whole answer.',
    ])
  })

  it('may continue as an answer with numbers, which is resumed from then on', async () => {
    const { client, posted } = agentOf(
      [
        connection(delta('Half')),
        connection(numbered(1, 'DELTA', 'Whole')),
        connection(numbered(1, 'DELTA', 'Whole'), numbered(2, 'DELTA', ' answer.'), numbered(3, 'CLOSE', 'finished')),
      ],
      restart,
    )
    expect((await shown(client)).last).toBe('complete restarted: Whole answer.')
    expect(posted.map(({ lastEventId }) => lastEventId)).toEqual([null, null, STREAM])
  })

  it('is not asked for again when a part of it has numbers: the two could be mixed', async () => {
    const { client, posted } = agentOf([connection(numbered(1, 'DELTA', 'One'), delta('Half')), whole], restart)
    await shown(client)
    expect(posted).toHaveLength(1)
  })

  it('is left alone when it ended as its generation ends', async () => {
    for (const packets of [[{ event: 'token', data: 'A' }], [delta('A'), CLOSE]]) {
      const { client, posted } = agentOf([connection(...packets)], restart)
      expect((await shown(client)).last).toBe('complete: A')
      expect(posted).toHaveLength(1)
    }
  })

  it('is known by useCapAssist: of the new answer alone are the packets and the text', async () => {
    const { client } = agentOf([connection(delta('Half')), whole], restart)
    const assist = createAssist({ client: () => client, prepare: (request: ServiceRequestInput) => request })
    await assist.start(askFully(), REQUEST_ID)
    const { text, packets, error } = assist.getSnapshot()
    expect([text, packets.map(({ op }) => op), error]).toEqual([
      'Whole answer.',
      ['DELTA', 'DELTA', 'CLOSE'],
      undefined,
    ])
  })
})

describe('an answer with numbers', () => {
  const first = connection(numbered(1, 'DELTA', 'Whole'))
  const resumed = connection(
    numbered(1, 'DELTA', 'Whole'),
    numbered(2, 'DELTA', ' answer.'),
    numbered(3, 'CLOSE', 'finished'),
  )

  it('is resumed by its numbers, whatever onUnresumable says', async () => {
    for (const options of [{}, restart]) {
      const { client, posted } = agentOf([first, resumed], options)
      expect((await shown(client)).last).toBe('complete: Whole answer.')
      expect(posted.map(({ lastEventId }) => lastEventId)).toEqual([null, STREAM])
    }
  })

  it('gives way as a whole to a JSON answer that comes in its place', async () => {
    expect((await shown(agentOf([first, 'Another.']).client)).last).toBe('complete restarted: Another.')
  })
})

describe('chat() when the answer begins again', () => {
  it.each<[what: string, connections: readonly Connection[], text: string]>([
    [
      'cut elsewhere',
      [connection(delta('Why'), delta(' no')), connection(delta('W'), delta('hy not'), delta('?'), CLOSE)],
      'Why not?',
    ],
    [
      'broken off twice, the second time earlier',
      [connection(delta('Why no')), connection(delta('Why')), connection(delta('Why not?'), CLOSE)],
      'Why not?',
    ],
    ['after nothing was said', [connection({ op: 'event', p: {} }), connection(delta('Why not?'), CLOSE)], 'Why not?'],
    ['with nothing more to say', [connection(delta('Why')), connection(delta('Why'), CLOSE)], 'Why'],
  ])('continues where the new answer repeats what it gave: %s', async (_what, connections, text) => {
    expect(await heard(agentOf(connections, restart).client)).toEqual({ text, error: undefined })
  })

  it.each<[what: string, again: readonly object[]]>([
    ['says something else', [delta('Where are you?'), CLOSE]],
    ['says something else that is shorter', [delta('Where'), CLOSE]],
    ['says something else after a part', [delta('Wh'), delta('ere'), CLOSE]],
    ['says less', [delta('Wh'), CLOSE]],
    ['says nothing', [CLOSE]],
  ])('throws restarted, having given the first answer alone, when the new one %s', async (_what, again) => {
    const { text, error } = await heard(agentOf([connection(delta('Why no')), connection(...again)], restart).client)
    expect(text).toBe('Why no')
    expect(error).toMatchObject({ name: 'CapRuntimeError', code: 'restarted' })
  })
})

describe('assist() when the answer begins again', () => {
  it('counts it before the first packet that belongs to the new answer', async () => {
    const { client } = agentOf([connection(delta('A'), delta('B')), connection(delta('A'), delta('C'), CLOSE)], restart)
    const stream: AssistStream = client.assist(askFully())
    const seen: string[] = []
    for await (const { op, p } of stream) seen.push(`${stream.restarts} ${op} ${JSON.stringify(p)}`)
    expect(seen).toEqual(['0 DELTA "A"', '0 DELTA "B"', '1 DELTA "A"', '1 DELTA "C"', '1 CLOSE undefined'])
  })
})

describe('capProtocol', () => {
  it('says that unnumbered streams can be resumed only when they may begin again, and mixed ones never', () => {
    const transport = fetchTransport()
    const baseUrl = 'https://agent.example'
    const cursors = {
      none: [],
      numbered: [{ streamId: 'a', seq: 3 }],
      unnumbered: [{ streamId: 'stream' }],
      mixed: [{ streamId: 'a', seq: 3 }, { streamId: 'stream' }],
    }
    const verdicts = ([{}, restart] as const).map((options) => {
      const protocol = capProtocol({ baseUrl, transport, ...options })
      return Object.values(cursors).map((each) => protocol.canResume?.(each))
    })
    expect(verdicts).toEqual([
      [true, true, false, false],
      [true, true, true, false],
    ])
  })
})
