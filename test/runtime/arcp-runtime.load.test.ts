import { expect, it } from 'vitest'
import { serve } from './served-runtime.ts'

const COUNT = 1_000

it('carries a thousand jobs of one session over three cuts: each once, exact, and in order', async () => {
  let runs = 0
  let cuts = 0
  let wait: (ms: number) => Promise<void> = async () => undefined
  const served = serve({
    tools: {
      async *count({ n }) {
        runs += 1
        for (let step = 0; step < 5; step++) {
          yield `${String(n)}:${step} `
          await wait(500 + (Number(n) % 7) * 100)
        }
        return n
      },
    },
    faults({ direction, index, connection }) {
      if (direction !== 'out' || connection > 2 || index !== 2_500) return undefined
      cuts += 1
      return { type: 'cut' }
    },
  })
  const { clock } = served.environment
  wait = (ms) =>
    new Promise((resolve) => {
      clock.after(ms, resolve)
    })
  const arcp = served.client()
  const jobs = Array.from({ length: COUNT }, (_, n) => arcp.invoke('count', { n }))
  const results = new Map<number, unknown>()
  for (const [n, { result }] of jobs.entries())
    result.then(
      ({ value }) => results.set(n, value),
      (error: unknown) => results.set(n, error),
    )
  for (let round = 0; round < 200 && results.size < COUNT; round++) await served.pass(500)
  expect(cuts).toBe(3)
  expect(jobs.map((_, n) => results.get(n))).toEqual(jobs.map((_, n) => n))
  expect(runs).toBe(COUNT)
  const texts = new Map([...arcp.getState().streams.values()].map(({ jobId, text }) => [jobId, text]))
  for (const [n, { accepted }] of jobs.entries())
    expect(texts.get(await accepted)).toBe([0, 1, 2, 3, 4].map((step) => `${n}:${step} `).join(''))
  arcp.close()
  await served.runtime.close()
  expect(served.runtime.sessions).toEqual([])
}, 120_000)
