import { beforeAll, expect, it } from 'vitest'
import { ArcpClient } from '../../../src/protocols/arcp/client/arcp-client.ts'
import { memoryTransport } from '../../../src/wire/memory-transport.ts'
import { loadArcpOnDemand } from '../../support/load-arcp-on-demand.ts'
import { createRandom } from '../../support/create-random.ts'
import { createManualEnvironment } from '../../support/manual-environment.ts'
import { restartableLog } from '../restartable-log.ts'
import type { Served } from '../served-runtime.ts'
import { serve } from '../served-runtime.ts'
import { DONE, TEXT, threeTools } from '../three-tools.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

/** The client does all of it while connections break and processes die. What came of it. */
async function play(seed: number) {
  const random = createRandom(seed)
  const environment = createManualEnvironment()
  const { clock } = environment
  const log = restartableLog()
  const runs: string[] = []
  let cuts = 0
  let restarts = 0
  let served = startProcess()

  function startProcess(): Served {
    const wait = (ms: number): Promise<void> =>
      new Promise((resolve) => {
        clock.after(ms, resolve)
      })
    const faults = () => (cuts < 4 && random() < 0.04 ? ((cuts += 1), { type: 'cut' } as const) : undefined)
    return serve({ tools: threeTools(runs, wait), log, faults, auth: { bearer: (token) => token } }, environment)
  }

  const transport = memoryTransport(async (connection) => served.runtime.accept(connection))
  const arcp = new ArcpClient({ transport, environment, auth: { scheme: 'bearer', token: 'ada' } })
  const results: Record<string, unknown> = {}
  for (const tool of Object.keys(DONE))
    arcp.invoke(tool).result.then(
      ({ value }) => (results[tool] = value),
      (error: unknown) => (results[tool] = error),
    )
  const answered = new Set<string>()
  for (let round = 0; round < 400 && Object.keys(results).length < 3; round++) {
    for (const { id, kind, state } of arcp.getState().prompts.values()) {
      // Some questions are asked for a while.
      if (state !== 'open' || answered.has(id) || random() < 0.5) continue
      answered.add(id)
      const answer =
        kind === 'permission'
          ? ({ type: 'option', optionId: 'grant' } as const)
          : ({ type: 'value', value: 7 } as const)
      arcp.answer(id, answer, `answer-of-${id}`).catch(() => answered.delete(id))
    }
    if (restarts < 3 && random() < 0.25) {
      restarts += 1
      const dead = served
      log.crash()
      served = startProcess()
      dead.runtime.disconnect()
    }
    await served.pass(500)
  }
  const texts = [...arcp.getState().streams.values()].map(({ text }) => text)
  arcp.close()
  return { results, runs, texts, restarts }
}

it('ends each call, with what its tool gave or as lost, and begins no tool twice, over 100 random schedules of restarts', async () => {
  let whole = 0
  let lost = 0
  for (let seed = 1; seed <= 100; seed++) {
    const { results, runs, texts } = await play(seed)
    const place = `seed ${seed}`
    for (const [tool, value] of Object.entries(DONE)) {
      const found = results[tool]
      const isLost = found instanceof Error
      if (isLost)
        expect(found, place).toMatchObject({ agentCode: 'ABORTED', message: expect.stringContaining('restarted') })
      else expect(found, place).toBe(value)
      expect(runs.filter((run) => run === tool).length, `${place}: ${tool}`).toBe(1)
      if (isLost) lost += 1
      else whole += 1
    }
    for (const text of texts) expect(TEXT.join(''), place).toContain(text)
    if (!(results.tell instanceof Error)) expect(texts, place).toEqual([TEXT.join('')])
  }
  // Both happen: jobs that have ended before their process dies, and jobs that are not.
  expect([whole > 50, lost > 50]).toEqual([true, true])
})
