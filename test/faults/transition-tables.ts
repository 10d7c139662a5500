import { CONNECTION_TRANSITIONS, type Input, type Phase } from '../../src/session/connection.ts'

// The keys of the table are exactly the phases and inputs.
const PHASES = Object.keys(CONNECTION_TRANSITIONS) as Phase[]
const INPUTS = Object.keys(CONNECTION_TRANSITIONS.idle) as Input['type'][]

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** What each input does in each phase, as a Markdown table; a dot where nothing changes. */
export function transitionTable(): string {
  const rows = INPUTS.map((input) => [
    `\`${input}\``,
    ...PHASES.map((phase) =>
      CONNECTION_TRANSITIONS[phase][input] === phase ? '·' : CONNECTION_TRANSITIONS[phase][input],
    ),
  ])
  return [
    row(['input', ...PHASES.map((phase) => `in \`${phase}\``)]),
    `|${'---|'.repeat(PHASES.length + 1)}`,
    ...rows.map(row),
  ].join('\n')
}

/** The steps from which a way leads back, by input: `dropped`: connecting, streaming → waiting. */
export function stepsOnCircles(): readonly string[] {
  const next = (phase: Phase): Phase[] => [...new Set(Object.values(CONNECTION_TRANSITIONS[phase]))]
  const reach = (from: Phase): Set<Phase> => {
    const found = new Set<Phase>()
    const open = next(from)
    for (let phase = open.pop(); phase !== undefined; phase = open.pop()) {
      if (found.has(phase)) continue
      found.add(phase)
      open.push(...next(phase))
    }
    return found
  }
  return INPUTS.flatMap((input) => {
    const targets = new Map<Phase, Phase[]>()
    for (const phase of PHASES) {
      const to = CONNECTION_TRANSITIONS[phase][input]
      if (to !== phase && reach(to).has(phase)) targets.set(to, [...(targets.get(to) ?? []), phase])
    }
    return [...targets].map(([to, from]) => `\`${input}\`: ${from.join(', ')} → ${to}`)
  })
}
