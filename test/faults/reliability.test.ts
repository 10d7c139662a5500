import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPage } from '../docs/pages.ts'
import { ROOT } from '../layers/files.ts'
import { stepsOnCircles, transitionTable } from './transition-tables.ts'

const { text } = readPage('docs/internals/reliability.md')
const section = (heading: string): string => text.split(/^## /m).find((part) => part.startsWith(heading)) ?? ''
const rowsOf = (heading: string): string[][] =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

interface Mutant {
  readonly name: string
  readonly file: string
  readonly from: string
}

// Written by hand and read by the script alike.
const mutants = JSON.parse(readFileSync(`${ROOT}scripts/mutants.json`, 'utf8')) as readonly Mutant[]

describe('the page on reliability', () => {
  it('numbers its promises, and names tests that exist for each', () => {
    const promises = [...section('What does capstan promise').matchAll(/^(\d+)\. /gm)].map(([, number]) => number)
    const rows = rowsOf('Which test holds which promise')
    expect(promises).toHaveLength(9)
    expect(rows.map(([number]) => number)).toEqual(promises)
    for (const [number, cell = ''] of rows) {
      const files = [...cell.matchAll(/`([^`]+)`((?:,? "[^"]+")+)/g)]
      expect(files.length, `promise ${number}`).toBeGreaterThan(0)
      for (const [, file = '', titles = ''] of files) {
        const source = readFileSync(ROOT + file, 'utf8')
        for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g))
          expect(source, `promise ${number} in ${file}`).toContain(title)
      }
    }
  })

  it('has the table of phases and inputs as the code has it', () => {
    expect(section('Which states does a connection have')).toContain(transitionTable())
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
        if (file.includes('/matrix-'))
          expect(readFileSync(ROOT + file, 'utf8'), `row ${row} in ${file}`).toContain(`row ${row}:`)
      }
    }
  })

  it('lists every broken guard, and each can still be broken in exactly one place', () => {
    const rows = rowsOf('Which guards were broken')
    expect(rows.map(([name]) => name)).toEqual(mutants.map(({ name }) => name))
    for (const { name, file, from } of mutants)
      expect(readFileSync(ROOT + file, 'utf8').split(from), name).toHaveLength(2)
  })
})
