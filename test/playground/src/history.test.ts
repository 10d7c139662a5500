import { describe, expect, it } from 'vitest'
import { createHistory, riverHistory } from '../../../playground/src/history.ts'
import { createManualClock } from '../../support/manual-clock.ts'

describe('the history of a long talk', () => {
  it('comes page by page, newest first, and is whole in the end', async () => {
    const clock = createManualClock()
    const all = riverHistory(50, 0)
    const history = createHistory(all, true, clock)
    let shown = [...history.first]
    expect(shown).toEqual(all.slice(-40))
    while (history.left > 0) {
      const page = history.older()
      await clock.advance(600)
      shown = [...(await page), ...shown]
    }
    expect(shown).toEqual(all)
    expect(new Set(all.map(({ id }) => id)).size).toBe(100)
  })

  it('is there at once when it is not paged', () => {
    expect(createHistory(riverHistory(1_000, 0), false, createManualClock())).toMatchObject({
      total: 2_000,
      left: 0,
      first: { length: 2_000 },
    })
  })
})
