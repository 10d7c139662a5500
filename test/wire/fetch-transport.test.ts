import { describe, expect, it } from 'vitest'
import { fetchTransport } from '../../src/wire/fetch-transport.ts'
import { serve } from '../server/peer.ts'
import { hear } from './hear.ts'
import { stage, STORIES } from './transport-stories.ts'

describe('the fetch transport', () => {
  it.each(STORIES)('$name', async (story) => {
    const { listener, judge } = stage(story)
    const url = `${await serve(listener)}/assist`
    await judge(await hear(fetchTransport({ maxFrameBytes: story.maxFrameBytes }), { url, ...story.asking }))
  })

  it('types a refused connection', async () => {
    const { error } = await hear(fetchTransport(), { url: 'http://127.0.0.1:1/assist' })
    expect(error).toMatchObject({ typed: true, kind: 'connection', code: 'network_error' })
  })

  it('looks its fetch up at each call', async () => {
    const asked: string[] = []
    const fetch = (url: string): Promise<Response> => {
      asked.push(url)
      return Promise.resolve(new Response('{}', { headers: { 'content-type': 'application/json' } }))
    }
    expect(await hear(fetchTransport({ fetch }), { url: 'https://agent.example/assist' })).toMatchObject({ text: '{}' })
    expect(asked).toEqual(['https://agent.example/assist'])
  })
})
