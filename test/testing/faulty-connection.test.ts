import { beforeAll, describe, expect, it } from 'vitest'
import type { Fault, FaultFrame, FaultHook } from '../../src/testing/faulty-connection.ts'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import { createRandom } from '../support/create-random.ts'
import type { Served } from '../runtime/served-runtime.ts'
import { serve, typesOf } from '../runtime/served-runtime.ts'
import { DONE, TEXT, threeTools } from '../runtime/three-tools.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

/** One fault, at the frame that a test looks for. */
const at =
  (isIt: (frame: FaultFrame) => boolean, fault: Fault): FaultHook =>
  (frame) =>
    isIt(frame) ? fault : undefined
const carries =
  (type: string, direction: FaultFrame['direction']) =>
  (frame: FaultFrame): boolean =>
    frame.direction === direction && frame.frame.includes(`"type":"${type}"`)

describe('a fault of a connection', () => {
  it('drops one frame, in either direction', async () => {
    const out = serve({ tools: {}, faults: at(carries('pong', 'out'), { type: 'drop' }) })
    const inward = serve({ tools: {}, faults: at(carries('ping', 'in'), { type: 'drop' }) })
    for (const { raw, settle } of [out, inward]) {
      const client = await raw()
      client.send('ping')
      client.send('artifact.fetch', { artifact_id: 'art_none' })
      await settle()
      expect(typesOf(client.got)).toEqual(['session.accepted', 'nack'])
    }
  })

  it('doubles one frame: what is said comes twice, what is asked is done once', async () => {
    let runs = 0
    const tools = { count: async () => (runs += 1) }
    const out = serve({ tools, faults: at(carries('tool.result', 'out'), { type: 'duplicate' }) })
    const heard = await out.raw()
    heard.send('tool.invoke', { tool: 'count' })
    await out.settle()
    expect(heard.of('tool.result').map(({ id }) => id)).toEqual([
      heard.last('tool.result').id,
      heard.last('tool.result').id,
    ])
    const inward = serve({ tools, faults: at(carries('tool.invoke', 'in'), { type: 'duplicate' }) })
    const client = await inward.raw()
    client.send('tool.invoke', { tool: 'count' })
    await inward.settle()
    expect(client.of('tool.result')).toHaveLength(1)
    expect(runs).toBe(2)
  })

  it('swaps one frame with the next', async () => {
    const faults = at(carries('job.accepted', 'out'), { type: 'swap' })
    const { raw, settle } = serve({ tools: { done: async () => 1 }, faults })
    const client = await raw()
    client.send('tool.invoke', { tool: 'done' })
    await settle()
    expect(typesOf(client.got).slice(1, 3)).toEqual(['job.started', 'job.accepted'])
  })

  it('delays one frame on the clock, and all that follow wait for it', async () => {
    const faults = at(carries('job.started', 'out'), { type: 'delay', ms: 5_000 })
    const { raw, settle, pass } = serve({ tools: { done: async () => 1 }, faults })
    const client = await raw()
    client.send('tool.invoke', { tool: 'done' })
    await settle()
    expect(typesOf(client.got)).toEqual(['session.accepted', 'job.accepted'])
    await pass(4_999)
    expect(client.got).toHaveLength(2)
    await pass(1)
    expect(typesOf(client.got).slice(2)).toEqual(['job.started', 'tool.result', 'job.completed'])
  })

  it('cuts the connection, and the frame is lost', async () => {
    for (const [type, direction] of [
      ['job.started', 'out'],
      ['tool.invoke', 'in'],
    ] as const) {
      let runs = 0
      const faults = at(carries(type, direction), { type: 'cut' })
      const { raw, settle } = serve({ tools: { count: async () => (runs += 1) }, faults })
      const client = await raw()
      client.send('tool.invoke', { tool: 'count' })
      await settle()
      expect(client.isClosed).toBe(true)
      expect(client.of('job.started')).toEqual([])
      expect(runs).toBe(direction === 'out' ? 1 : 0)
    }
  })

  it('is told where it is: which connection, which direction, how many frames came before', async () => {
    const seen: string[] = []
    const { raw, settle } = serve({
      tools: {},
      faults: ({ connection, direction, index }) => void seen.push(`${connection} ${direction} ${index}`),
    })
    for (let round = 0; round < 2; round++) {
      const client = await raw()
      client.send('ping')
      await settle()
    }
    expect(seen.toSorted()).toEqual(
      [0, 1].flatMap((one) => [`${one} in 0`, `${one} in 1`, `${one} out 0`, `${one} out 1`]),
    )
  })
})

/** The client does all of it over these faults; returns the outcome. */
async function play(faults: FaultHook) {
  const runs: string[] = []
  let wait: (ms: number) => Promise<void> = async () => undefined
  const served: Served = serve({ tools: threeTools(runs, async (ms) => wait(ms)), faults })
  const { clock } = served.environment
  wait = (ms) =>
    new Promise((resolve) => {
      clock.after(ms, resolve)
    })
  const arcp = served.client()
  const results: Record<string, unknown> = {}
  for (const tool of ['tell', 'ask', 'allow'])
    arcp.invoke(tool).result.then(
      ({ value }) => (results[tool] = value),
      (error: unknown) => (results[tool] = error),
    )
  const answered = new Map<string, string>()
  for (let round = 0; round < 400 && Object.keys(results).length < 3; round++) {
    for (const { id, kind, state } of arcp.getState().prompts.values()) {
      if (state !== 'open' || answered.has(id)) continue
      answered.set(id, kind)
      const answer =
        kind === 'permission'
          ? ({ type: 'option', optionId: 'grant' } as const)
          : ({ type: 'value', value: 7 } as const)
      // A cut may leave open whether it has arrived: then the same answer is given again.
      arcp.answer(id, answer, `answer-of-${id}`).catch(() => answered.delete(id))
    }
    await served.pass(500)
  }
  const texts = [...arcp.getState().streams.values()].map(({ text }) => text)
  arcp.close()
  await served.runtime.close()
  // Frames that were delayed are still on their way.
  await served.pass(10_000)
  return { results, runs, texts, timers: clock.pending, reports: served.environment.reports }
}

describe('the client over a connection with faults', () => {
  it('loses nothing and does nothing twice, wherever the first connection is cut', async () => {
    for (const direction of ['in', 'out'] as const) {
      for (let index = 0, isReached = true; isReached; index++) {
        isReached = false
        const { results, runs, texts } = await play((frame) => {
          if (frame.connection > 0 || frame.direction !== direction || frame.index !== index) return undefined
          isReached = true
          return { type: 'cut' }
        })
        const place = `cut at frame ${index} ${direction}`
        expect(results, place).toEqual(DONE)
        expect(runs.toSorted(), place).toEqual(['allow', 'ask', 'tell'])
        expect(texts, place).toEqual([TEXT.join('')])
      }
    }
  })

  it('keeps that over 150 random schedules of cuts, doubled and delayed frames', async () => {
    let cuts = 0
    for (let seed = 1; seed <= 150; seed++) {
      const random = createRandom(seed)
      let left = 6
      const { results, runs, texts, timers, reports } = await play(() => {
        const chance = random()
        if (chance < 0.06 && left > 0) {
          left -= 1
          cuts += 1
          return { type: 'cut' }
        }
        if (chance < 0.14) return { type: 'duplicate' }
        return chance < 0.22 ? { type: 'delay', ms: Math.ceil(random() * 3_000) } : undefined
      })
      const place = `seed ${seed}`
      expect(results, place).toEqual(DONE)
      expect(runs.toSorted(), place).toEqual(['allow', 'ask', 'tell'])
      expect(texts, place).toEqual([TEXT.join('')])
      expect(timers, place).toBe(0)
      expect(reports, place).toEqual([])
    }
    expect(cuts).toBeGreaterThan(300)
  }, 120_000)
})
