import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { TransitionTable } from '../../src/base/transition-table.ts'
import { transitionTable } from '../../src/base/transition-table.ts'
import { SESSION_PHASES } from '../../src/protocols/arcp/fold/arcp-state.ts'
import { RUNTIME_JOB_STATES } from '../../src/runtime/job/runtime-job.ts'
import { LEASE_STATES } from '../../src/runtime/job/leases.ts'
import { CONNECTION_PHASES } from '../../src/runtime/connection/served-session.ts'
import { CONNECTION_TRANSITIONS } from '../../src/session/connection.ts'
import { RUN_TRANSITIONS as RUN } from '../../src/state/run.ts'
import { MEMBERSHIP_TRANSITIONS } from '../../src/storage/tabs/tab-member.ts'
import { ROOT } from '../layers/files.ts'

type AnyTable = Readonly<Record<string, Readonly<Record<string, string>>>>

describe('a table of transitions', () => {
  it('leads from each phase to the phase in its column, and stays where there is a dot', () => {
    const table: TransitionTable<'off' | 'on', 'press' | 'cut'> = transitionTable(['off', 'on'], {
      press: ['on', 'off'],
      cut: ['.', 'off'],
    })
    expect(table).toEqual({ off: { press: 'on', cut: 'off' }, on: { press: 'off', cut: 'off' } })
  })

  it('is refused by TypeScript with a cell, an input or a phase too few, or with a word that is not a phase', () => {
    // @ts-expect-error a cell too few
    transitionTable(['off', 'on'], { press: ['on'] })
    // @ts-expect-error a cell too many
    transitionTable(['off', 'on'], { press: ['on', '.', '.'] })
    // @ts-expect-error no phase
    transitionTable(['off', 'on'], { press: ['on', 'broken'] })
    // @ts-expect-error no line for `cut`
    const inputs: TransitionTable<'off' | 'on', 'press' | 'cut'> = transitionTable(['off', 'on'], {
      press: ['on', 'off'],
    })
    // @ts-expect-error no column for `on`
    const phases: TransitionTable<'off' | 'on', 'cut'> = transitionTable(['off'], { cut: ['.'] })
    expect([inputs, phases]).toHaveLength(2)
  })
})

/** Steps of a table that lead to another phase, as `from --> to: input`. */
function stepsOf(table: AnyTable): string[] {
  return Object.entries(table).flatMap(([from, row]) =>
    Object.entries(row).flatMap(([input, to]) => (to === from ? [] : [`${from} --> ${to}: ${input}`])),
  )
}

/** The same steps as a mermaid diagram draws them, where an arrow from a composite state begins in every state inside it. */
function stepsOfDiagram(diagram: string): { readonly start: string | undefined; readonly steps: string[] } {
  const members = new Map<string, Set<string>>()
  const arrows: { readonly from: string; readonly to: string; readonly inputs: readonly string[] }[] = []
  const open: string[] = []
  let start: string | undefined
  for (const line of diagram.split('\n').map((text) => text.trim())) {
    const [, composite] = /^state (\w+) \{$/.exec(line) ?? []
    const [, from = '', to = '', label = ''] = /^(\S+) --> (\w+)(?:: (.+))?$/.exec(line) ?? []
    const named = composite === undefined ? [from, to].filter((name) => name !== '' && name !== '[*]') : [composite]
    for (const name of named) for (const outer of open) members.set(outer, (members.get(outer) ?? new Set()).add(name))
    if (composite !== undefined) open.push(composite)
    else if (line === '}') open.pop()
    else if (from === '[*]') start = to
    else if (from !== '') arrows.push({ from, to, inputs: label.split(', ') })
  }
  const statesIn = (name: string): string[] =>
    [...(members.get(name) ?? [name])].flatMap((inner) => (inner === name ? [name] : statesIn(inner)))
  return {
    start,
    steps: arrows.flatMap(({ from, to, inputs }) =>
      [...new Set(statesIn(from))].flatMap((state) => inputs.map((input) => `${state} --> ${to}: ${input}`)),
    ),
  }
}

describe.each<[file: string, table: AnyTable, start: string]>([
  ['src/session/connection.ts', CONNECTION_TRANSITIONS, 'idle'],
  ['src/state/run.ts', RUN, 'created'],
  ['src/storage/tabs/tab-member.ts', MEMBERSHIP_TRANSITIONS, 'joining'],
  ['src/protocols/arcp/fold/arcp-state.ts', SESSION_PHASES, 'idle'],
  ['src/runtime/connection/served-session.ts', CONNECTION_PHASES, 'opening'],
  ['src/runtime/job/runtime-job.ts', RUNTIME_JOB_STATES, 'accepted'],
  ['src/runtime/job/leases.ts', LEASE_STATES, 'active'],
])('the diagram at the head of %s', (file, table, start) => {
  const source = readFileSync(ROOT + file, 'utf8')

  it('draws every transition of the table, and no other', () => {
    const [, diagram = ''] = /^\/\*\n[^*]*?stateDiagram-v2\n([^]*?)\*\//.exec(source) ?? []
    const drawn = stepsOfDiagram(diagram)
    expect(drawn.start).toBe(start)
    expect(drawn.steps.toSorted()).toEqual(stepsOf(table).toSorted())
  })

  it('is above a table with one input per line, its cells below each other', () => {
    const [, body = ''] = /transitionTable\(\n([^]*?)\n\)\n/.exec(source) ?? []
    const rows = body.split('\n').filter((line) => line.includes('['))
    const [first = ''] = Object.keys(table)
    expect(rows).toHaveLength(1 + Object.keys(table[first] ?? {}).length)
    const columns = rows.map((line) =>
      [...line.matchAll(/(?<=[[ ])'/g)].map(({ index }) => index).filter((index) => index > line.indexOf('[')),
    )
    expect(new Set(columns.map(String)).size).toBe(1)
  })
})
