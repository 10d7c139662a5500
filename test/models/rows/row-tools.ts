import type { ModelTool, ModelTools } from '../../../src/server-openai.ts'

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
