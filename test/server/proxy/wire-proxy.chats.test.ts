import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/index.ts'
import { chatWithAiSdk } from '../../support/ai-sdk-server.ts'
import { collect, framesOf } from '../peer.ts'
import { answerText, postRun, serveAnswers, serveWire, PATIENTLY } from '../serve-wire.ts'
import { answerOf } from '../../support/answer-of.ts'

// A UI message stream is resumed by its chat, and most clients of the AI SDK do not say which run they mean.

describe('the stream of a chat', () => {
  it('is that of the run that continues, and none when it has ended', async () => {
    let finish = (): void => {}
    const body = answerText('ai-sdk', 'Rivers ', 'meander.')
    const upstream = await serveAnswers((res) => {
      res.write(body.slice(0, 120))
      finish = () => res.end(body.slice(120))
    })
    const { url } = await serveWire('ai-sdk', upstream)
    const follow = (): Promise<Response> => fetch(`${url}/chat-1/stream`)
    expect((await follow()).status).toBe(204)
    const posted = await postRun('ai-sdk', url, 'run-1')
    const followed = await follow()
    expect(followed.status).toBe(200)
    finish()
    const frames = await collect(framesOf(posted))
    expect(await collect(framesOf(followed))).toEqual(frames)
    await expect.poll(async () => (await follow()).status, PATIENTLY).toBe(204)
  })

  it('is never that of another run, though the request of this one was lost on its way', async () => {
    const upstream = await serveAnswers((res) =>
      // A server that gives its messages no ids.
      res.end(answerText('ai-sdk', 'Rivers ', 'meander.').replace(',"messageId":"m"', '')),
    )
    const { url } = await serveWire('ai-sdk', upstream)
    let isLost = false
    const page = {
      fetch: async (to: string, init: RequestInit) => {
        if (isLost && init.method === 'POST') throw new TypeError('network error')
        return fetch(to, init)
      },
    }
    const chat = chatWithAiSdk(page, { api: url, namesRuns: true })
    await chat.sendMessage('Go on.')
    expect(textOf(answerOf(chat))).toBe('Rivers meander.')
    isLost = true
    await chat.sendMessage('And then?')
    expect(chat.getSnapshot().error).toMatchObject({ code: 'delivery_unknown' })
    expect(chat.getSnapshot().messages.filter(({ role }) => role === 'assistant')).toHaveLength(1)
    expect(upstream.seen).toHaveLength(1)
    await chat.dispose()
  })

  it('is resumed by the id of a frame where the client names no run', async () => {
    const upstream = await serveAnswers((res) => res.end(answerText('ai-sdk', 'Rivers ', 'meander.')))
    const { url } = await serveWire('ai-sdk', upstream)
    const body = JSON.stringify({ id: 'chat-1', messages: [] })
    const post = (): Promise<Response> =>
      fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const first = await collect(framesOf(await post()))
    await collect(framesOf(await post()))
    const headers = { 'last-event-id': first[1]?.id ?? '' }
    expect(await collect(framesOf(await fetch(`${url}/chat-1/stream`, { headers })))).toEqual(first.slice(2))
    expect((await fetch(`${url}/chat-2/stream`, { headers })).status).toBe(204)
    expect(upstream.seen).toHaveLength(2)
  })
})
