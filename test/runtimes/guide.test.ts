import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startProgram, startWorker, type StartedApp } from './start.ts'
import { answerOf, clientOf } from './talk.ts'

const GUIDE = readFileSync(`${import.meta.dirname}/../../docs/deploying.md`, 'utf8')

/** The first example behind a heading, with the imports that its comments stand for. */
function exampleOf(heading: string): { readonly contents: string } {
  const code = GUIDE.split(`## ${heading}\n`)[1]?.split('```ts\n')[1]?.split('```')[0]
  if (code === undefined) throw new Error(`docs/deploying.md has no example behind "${heading}".`)
  return { contents: code.replace(/^\/\/ stands for: (.*)\ndeclare .*$/gm, '$1') }
}

const WORKER = exampleOf('Run it in a Worker without a Durable Object')
const OBJECT = exampleOf('Run it on Cloudflare')
const SERVER = exampleOf('Run it on Bun or Deno')

describe('the examples of docs/deploying.md', () => {
  it.each<[string, () => Promise<StartedApp>]>([
    ['a Worker', () => startWorker(WORKER)],
    [
      'a Durable Object',
      () => startWorker(OBJECT, { durableObjects: { AGENT: { className: 'Agent', useSQLite: true } } }),
    ],
    ['Bun', () => startProgram('bun', SERVER)],
    ['Deno', () => startProgram('deno', SERVER)],
  ])('answer a first, a second and a third request, of two users, in %s', async (_, start) => {
    const app = await start()
    onTestFinished(() => app.stop())
    for (const question of ['one', 'two', 'three'])
      expect(await answerOf(clientOf(app.url, { apiKey: 'ann' }), question)).toBe(`You asked: ${question}`)
    expect(await answerOf(clientOf(app.url, { apiKey: 'bob' }), 'four')).toBe('You asked: four')
  })

  it('refuse who is not signed in, in a Durable Object', async () => {
    const app = await startWorker(OBJECT, { durableObjects: { AGENT: { className: 'Agent', useSQLite: true } } })
    onTestFinished(() => app.stop())
    expect((await fetch(new URL('/assist', app.url), { method: 'POST' })).status).toBe(401)
  })
})
