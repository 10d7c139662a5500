import type { ArcpTool, ArcpToolContext } from '../../../src/arcp-runtime.ts'
import { delay, type Clock } from '../../../src/base/ports/clock.ts'
import type { Pace } from '../pace.ts'

const GAUGES = ['Long Arm', 'Old Bend', 'Weir', 'Ferry', 'Mill', 'Harbour', 'Island', 'Mouth']
/** Most reports that are written in one lease. */
const MOST_REPORTS = 600

/** What the runtime of the playground can do. */
export function createArcpTools(pace: Pace, clock: Clock): Readonly<Record<string, ArcpTool>> {
  const step = (context: ArcpToolContext, steps = 1): Promise<void> => delay(clock, pace.stepMs * steps, context.signal)

  return {
    async *echo({ text }) {
      yield String(text)
    },

    async *survey(_, context) {
      for (const [at, gauge] of GAUGES.entries()) {
        context.progress({ current: at, total: GAUGES.length, message: `Reading the gauge ${gauge}` })
        await step(context, 4)
        context.log(at === 3 ? 'warn' : 'info', at === 3 ? `${gauge} answered late` : `${gauge} was read`)
        context.usage({ inputTokens: 140, outputTokens: 35, cost: 0.0021 })
        yield `${gauge}: ${(2.4 + at / 10).toFixed(1)} m. `
      }
      await context.artifact(GAUGES.map((gauge, at) => `${gauge},${(2.4 + at / 10).toFixed(1)}`).join('\n'), {
        mediaType: 'text/csv',
      })
      return { gauges: GAUGES.length }
    },

    async *plan(_, context) {
      yield 'I plan a survey of the lower reach. '
      await step(context)
      const { value } = await context.askHuman({
        prompt: 'Which gauge first? Its code has two letters and three digits.',
        schema: {
          type: 'object',
          properties: {
            code: { type: 'string', title: 'Gauge code', pattern: '^[A-Z]{2}-[0-9]{3}$' },
          },
          required: ['code'],
        },
        expiresInMs: 600_000,
      })
      // The runtime takes only what fits the schema.
      const { code } = value as { readonly code: string }
      yield `First comes ${code}. `
      const chosen = await context.choose({
        prompt: 'How do you want to go there?',
        options: [
          { id: 'boat', label: 'By boat', description: 'Two hours, whatever the water' },
          { id: 'foot', label: 'On foot', description: 'Three hours, dry feet not promised' },
        ],
        expiresInMs: 600_000,
      })
      await step(context)
      yield `You go ${chosen.value === 'boat' ? 'by boat' : 'on foot'}.`
    },

    async *sluice(_, context) {
      const { value, respondedBy } = await context.choose({
        prompt: 'The water rises. Open the sluice while boats wait?',
        options: [
          { id: 'now', label: 'Open it now' },
          { id: 'later', label: 'Let the boats through first' },
        ],
        expiresInMs: 600_000,
      })
      yield `${value === 'now' ? 'The sluice is open.' : 'The boats go first.'} Answered by ${respondedBy ?? 'somebody'}.`
    },

    async *write({ text }, context) {
      yield `You asked: ${String(text)}\n\nFor that I have to write files.\n\n`
      const lease = await context.requestPermission({
        permission: 'fs.write',
        resource: '/reports/today',
        operation: 'write',
        reason: String(text),
        leaseSeconds: 120,
        expiresInMs: 600_000,
      })
      let reports = 0
      while (!lease.signal.aborted && reports < MOST_REPORTS) {
        reports += 1
        context.progress({ current: reports, message: `Writing report ${reports}` })
        await delay(clock, pace.stepMs * 10, AbortSignal.any([context.signal, lease.signal]))
      }
      yield lease.signal.aborted ? 'The permission has ended, so I stopped writing.' : 'All reports are written.'
      return { reports }
    },
  }
}
