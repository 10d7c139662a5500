import { createClient } from 'redis'
import { afterEach, expect, it } from 'vitest'
import { textOf } from '../../src/index.ts'
import { describeWithRedis, startRedis } from '../server/redis-server.ts'
import { chatWithAiSdk } from '../support/ai-sdk-server.ts'
import type { StreamStore } from './model-server.ts'
import { LONG, serveModel } from './model-server.ts'
import { MAJORS } from './sdk.ts'

// The package `resumable-stream`, with which the guide of the AI SDK keeps streams, on a real Redis: one server takes the POST, another the GET.

/** What the tests use of the package. */
interface ResumableStreams {
  createResumableStreamContext(options: object): {
    createNewResumableStream(id: string, stream: () => ReadableStream<string>): Promise<unknown>
    resumeExistingStream(id: string): Promise<ReadableStream<string> | null | undefined>
  }
}

const closing: (() => Promise<void>)[] = []

// What the package still has to say is said first: it leaves the failures of clients that are gone unhandled.
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function connect(url: string): Promise<unknown> {
  const client = createClient({ url })
  await client.connect()
  closing.push(() => client.close())
  return client
}

/** The streams as one server sees them. */
async function storeOn(url: string): Promise<StreamStore> {
  const name = 'resumable-stream'
  // The package is installed beside these tests alone.
  const { createResumableStreamContext } = (await import(/* @vite-ignore */ name)) as ResumableStreams
  const [publisher, subscriber] = await Promise.all([connect(url), connect(url)])
  const streams = createResumableStreamContext({ waitUntil: null, publisher, subscriber })
  return {
    keep: (chatId, stream) => void streams.createNewResumableStream(chatId, () => stream),
    replay: async (chatId) => (await streams.resumeExistingStream(chatId)) ?? undefined,
  }
}

describeWithRedis('a stream in Redis', () => {
  it.each(MAJORS)('of ai %s is resumed at another server while the model still answers', async (major) => {
    const { url } = await startRedis()
    let tellAsked = (): void => {}
    const asked = new Promise<void>((resolve) => {
      tellAsked = resolve
    })
    const first = await serveModel(major, {
      keeps: await storeOn(url),
      pause: asked,
      cuts: [{ afterBytes: 500, how: 'reset' }],
    })
    const second = await serveModel(major, { keeps: await storeOn(url) })
    const chat = chatWithAiSdk(
      {
        fetch: async (address, init) => {
          const response = await fetch(address, init)
          if (init.method === 'GET') tellAsked()
          return response
        },
      },
      { api: first.api, resumeUrl: (chatId) => `${second.api}/${chatId}/stream` },
    )
    await chat.sendMessage('long')
    const answer = chat.getSnapshot().messages.at(-1)
    expect([answer?.status, answer && textOf(answer)]).toEqual(['complete', LONG.join('')])
    expect([first.posted.length, second.posted.length, second.seen.length]).toEqual([1, 0, 1])
    await chat.dispose()
  })

  it('that has ended leaves a cut answer incomplete', async () => {
    const { url } = await startRedis()
    const store = await storeOn(url)
    const server = await serveModel(7, { keeps: store, cuts: [{ afterBytes: 500, how: 'end' }] })
    const chat = chatWithAiSdk(
      {
        fetch: async (address, init) => {
          // The package gives nothing of a stream that has ended.
          if (init.method === 'GET') await expect.poll(() => store.replay('chat-1')).toBeUndefined()
          return fetch(address, init)
        },
      },
      { api: server.api },
    )
    await chat.sendMessage('long')
    const answer = chat.getSnapshot().messages.at(-1)
    expect([answer?.status, answer?.error?.code]).toEqual(['incomplete', 'log_expired'])
    expect(server.posted).toHaveLength(1)
    await chat.dispose()
  })
})
