import { afterAll, beforeAll, describe, it } from 'vitest'
import { openHand } from './hands/open-hand.ts'
import type { Hand } from './hands/hands.ts'
import type { KindServer, PageKind } from './page-kinds.ts'
import { ACTS, PAGE_KINDS, serveKinds, useKind } from './page-kinds.ts'

let server: KindServer
let browser: Hand
const outcomes = new Map<PageKind, Promise<ReadonlyMap<string, Error | undefined>>>()

/** Pages are used at the same time, as many as the browser can: a test waits for the outcome of its own act. */
beforeAll(async () => {
  ;[server, browser] = await Promise.all([serveKinds(), openHand()])
  const rows: Promise<unknown>[] = Array.from({ length: browser.pagesAtOnce }, () => Promise.resolve())
  for (const [at, kind] of PAGE_KINDS.entries()) {
    const row = at % rows.length
    const outcome = Promise.resolve(rows[row]).then(async () => useKind(await browser.openPage(), server, kind))
    outcomes.set(kind, outcome)
    rows[row] = Promise.allSettled([outcome])
  }
})

afterAll(async () => {
  await Promise.allSettled(outcomes.values())
  await browser?.close()
  server?.close()
})

describe.each(PAGE_KINDS)('a chat on a page of the kind %s', (kind) => {
  it.each(Object.keys(ACTS))(
    'passes: %s',
    async (act) => {
      const error = (await outcomes.get(kind))?.get(act)
      if (error !== undefined) throw error
    },
    300_000,
  )
})
