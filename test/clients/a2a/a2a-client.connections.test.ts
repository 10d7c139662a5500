import { afterEach, describe, expect, it } from 'vitest'
import { backoff } from '../../../src/base/backoff.ts'
import { A2AClient } from '../../../src/clients/a2a/a2a-client.ts'
import type { ChatInstance } from '../../../src/state/chat.ts'
import { createChat } from '../../../src/state/chat.ts'
import type { SdkAgentOptions, StreamFault, Writing } from '../../support/a2a-sdk-agent.ts'
import { serveSdkAgent, wordsOf } from '../../support/a2a-sdk-agent.ts'

const CHUNKS = 30
/** Runs of each fault: with cuts after each of so many events. */
const RUNS = 10

const chats: ChatInstance[] = []

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

/** Plays one message over a server with faults: what was shown at each moment and in the end, and what the server counted. */
async function play(options: SdkAgentOptions, maxAttempts = 8, timeoutMs = 60_000) {
  const agent = await serveSdkAgent(options)
  const client = A2AClient.fromUrl(agent.url, {
    retry: { ...backoff({ maxAttempts }), delayMs: () => 3 },
    timeoutMs,
  })
  const chat = createChat({ client: () => client, conversationId: 'c1' })
  chats.push(chat)
  const textOf = (): string =>
    chat
      .getSnapshot()
      .messages.filter(({ role }) => role === 'assistant')
      .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
      .join('')
  const strays: string[] = []
  chat.subscribe(() => {
    if (!wordsOf(CHUNKS).startsWith(textOf())) strays.push(textOf())
  })
  await chat.sendMessage(`stream ${CHUNKS}`)
  return { text: textOf(), error: chat.getSnapshot().error, strays, posts: agent.count('SendStreamingMessage'), agent }
}

describe('a broken connection to the server of the official SDK', () => {
  const hows: readonly StreamFault['how'][] = ['reset', 'end', 'mid-frame', 'stall']
  it.each(hows.flatMap((how) => [0, 5, 15].map((storeMs) => [how, storeMs] as const)))(
    '%s, with a store of %i ms: the text is exact and the message was sent once',
    async (how, storeMs) => {
      const cuts = Array.from({ length: RUNS }, (_, run) => 1 + Math.floor((run * (CHUNKS + 2)) / RUNS))
      // The agent is slower than its store, which loads and saves for each event.
      const tickMs = Math.max(2, storeMs * 3)
      const runs = await Promise.all(
        cuts.map((afterEvents) =>
          play({ faults: [{ how, afterEvents }], storeMs, tickMs }, 8, how === 'stall' ? 1000 : undefined),
        ),
      )
      for (const [at, played] of runs.entries()) {
        expect(played.text, `cut after ${cuts[at]} events`).toBe(wordsOf(CHUNKS))
        expect(played).toMatchObject({ error: undefined, posts: 1 })
        // Such a server loses events between its snapshot and the stream: that is mended at the end of the task.
        if (storeMs === 0) expect(played.strays).toEqual([])
      }
    },
  )

  it.each(hows)('%s of every stream but the last ones, after some new events', async (how) => {
    const played = await play(
      { faults: (stream) => (stream < 6 ? { how, afterEvents: 4 } : undefined), tickMs: 6 },
      8,
      how === 'stall' ? 1000 : undefined,
    )
    expect(played.text).toBe(wordsOf(CHUNKS))
    expect(played).toMatchObject({ error: undefined, strays: [], posts: 1 })
  })

  it('before the first event: the task is looked up by the id of its message', async () => {
    const played = await play({ faults: [{ how: 'reset', afterEvents: 0 }] })
    expect(played.text).toBe(wordsOf(CHUNKS))
    expect(played).toMatchObject({ error: undefined, posts: 1 })
    expect(played.agent.count('ListTasks')).toBeGreaterThan(0)
  })

  it('of every stream after its snapshot: the task is given up after the attempts, and not sent again', async () => {
    const played = await play({ faults: () => ({ how: 'reset', afterEvents: 1 }), tickMs: 60_000 }, 3)
    expect(played.error).toMatchObject({ severity: 'TRANSIENT' })
    expect(played.posts).toBe(1)
    expect(played.agent.count('SubscribeToTask')).toBe(3)
  })

  const writings: readonly Writing[] = ['crlf', 'cr', 'bytewise', 'bom']
  it.each(writings)('is none where the stream is only written in another way: %s', async (writing) => {
    const played = await play({ writing })
    expect(played.text).toBe(wordsOf(CHUNKS))
    expect(played).toMatchObject({ error: undefined, strays: [], posts: 1 })
    expect(played.agent.count('SubscribeToTask')).toBe(0)
  })
})
