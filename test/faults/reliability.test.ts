import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPage } from '../docs/pages.ts'
import { ROOT } from '../layers/files.ts'
import { stepsOnCircles, transitionTable } from './line-tables.ts'

const { text } = readPage('docs/reliability.md')
const section = (heading: string): string => text.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
const rowsOf = (heading: string): string[][] =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()))

interface Mutant {
  readonly name: string
  readonly file: string
  readonly from: string
}

// Written by hand and read by the script alike.
const mutants = JSON.parse(readFileSync(`${ROOT}scripts/mutants.json`, 'utf8')) as readonly Mutant[]

describe('the page on reliability', () => {
  it('has the table of phases and inputs as the code has it', () => {
    expect(section('Which states does a line have')).toContain(transitionTable())
  })

  it('names a guard for every step from which a way leads back, and no other step', () => {
    const rows = rowsOf('Which ways lead back')
    expect(rows.map(([step]) => step)).toEqual(stepsOnCircles())
    expect(rows.filter(([, guard = '']) => guard === '')).toEqual([])
  })

  it('names tests that exist for every row it lists', () => {
    const rows = rowsOf('Which fault is tested where')
    expect(rows.length).toBeGreaterThan(35)
    for (const [row, , cell = ''] of rows) {
      for (const [, file = ''] of cell.matchAll(/`([^`]+)`/g)) {
        expect(existsSync(ROOT + file), file).toBe(true)
        if (file.includes('/matrix-')) expect(readFileSync(ROOT + file, 'utf8'), `row ${row} in ${file}`).toContain(`row ${row}:`)
      }
    }
  })

  it('lists every broken guard, and each can still be broken in exactly one place', () => {
    const rows = rowsOf('Which guards were broken')
    expect(rows.map(([name]) => name)).toEqual(mutants.map(({ name }) => name))
    for (const { name, file, from } of mutants) expect(readFileSync(ROOT + file, 'utf8').split(from), name).toHaveLength(2)
  })
})
