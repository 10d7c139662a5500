import type { ModelTool, ModelTools } from '../../../src/server-models.ts'

class Point {
  readonly x = 1
}

const circular: Record<string, unknown> = {}
circular['self'] = circular

/** What tools of the rows return, by their names. */
const RESULTS: Readonly<Record<string, () => unknown>> = {
  send_email: () => ({ ok: true }),
  ask_first: () => 'sent',
  throws: () => {
    throw new Error('canary')
  },
  bigint: () => ({ n: 1n }),
  circular: () => circular,
  bad_to_json: () => ({
    toJSON() {
      throw new Error('canary')
    },
  }),
  date: () => new Date(0),
  not_a_number: () => Number.NaN,
  map: () => new Map([['a', 1]]),
  instance: () => new Point(),
  buffer: () => Buffer.from('a'),
  nothing: () => undefined,
}

/** Tools that record what they receive. `ask_first` needs approval. @param names which of them. Absent: all */
export function createRowTools(names: readonly string[] = Object.keys(RESULTS)): {
  readonly tools: ModelTools
  /** Name and input of each call, in order. */
  readonly ran: readonly string[]
} {
  const ran: string[] = []
  const toolOf = (name: string): ModelTool => ({
    needsApproval: name === 'ask_first',
    execute(input) {
      ran.push(`${name} ${JSON.stringify(input)}`)
      return RESULTS[name]?.()
    },
  })
  return { ran, tools: Object.fromEntries(names.map((name) => [name, toolOf(name)])) }
}

const BAD_RESULT = 'The tool has run, but its result is not valid JSON.'

/** What comes of the tools that return something odd. `shown` is the end of their entry, `told` what the model gets. */
export const RESULT_ROWS: readonly {
  readonly name: string
  readonly status: 'complete' | 'failed'
  readonly shown: string
  readonly told: string
}[] = [
  ...['bigint', 'circular', 'bad_to_json'].map((name) => resultRow(name, 'failed', BAD_RESULT)),
  resultRow('throws', 'failed', 'The tool failed.'),
  resultRow('date', 'complete', '1970-01-01T00:00:00.000Z', '"1970-01-01T00:00:00.000Z"'),
  resultRow('not_a_number', 'complete', null),
  resultRow('map', 'complete', {}),
  resultRow('instance', 'complete', { x: 1 }),
  resultRow('buffer', 'complete', { type: 'Buffer', data: [97] }),
  resultRow('nothing', 'complete', null),
]

/** @param told Absent: the text itself, or the JSON of what is shown */
function resultRow(name: string, status: 'complete' | 'failed', value: unknown, told?: string) {
  const shown = value === null ? '' : ` -> ${JSON.stringify(value)}`
  return { name, status, shown, told: told ?? (typeof value === 'string' ? value : JSON.stringify(value)) }
}
