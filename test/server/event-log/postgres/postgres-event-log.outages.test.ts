import { expect, it } from 'vitest'
import type { PostgresOutageKind } from '../../outages/failing-postgres.ts'
import { planOutages } from '../../outages/outage-plans.ts'
import { playOutage } from '../../outages/play-outage.ts'
import { describeWithPostgres } from '../../postgres-server.ts'

// Some of those that `npm run test:outages` plays, in a tenth of the time.
const KINDS: readonly PostgresOutageKind[] = [
  'process killed',
  'backend killed',
  'restarted',
  'standby promoted',
  'connections cut',
  'two writers',
]

describeWithPostgres('an outage of Postgres in the middle of an answer', () => {
  it.concurrent.each(KINDS.flatMap((kind) => planOutages({ count: 1, store: 'postgres', kind, hurry: 10 })))(
    '$kind for $ms ms, behind a $served: nobody takes a part for the whole',
    { timeout: 120_000 },
    async (outage) => {
      const report = await playOutage(outage)
      expect(report.broken).toEqual([])
      for (const verdict of [report.client, ...report.late])
        expect(verdict).toMatch(
          /^(?:whole|409|log_expired|(?:FATAL )?run_interrupted|truncated|log_unavailable|network_error)$/,
        )
    },
  )
})
