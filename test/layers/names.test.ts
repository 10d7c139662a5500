import { describe, expect, it } from 'vitest'
import { readTree } from './files.ts'
import { namesExportedTwice, ORDER_OF_NAMES } from './names.ts'

const sources = readTree('src/').filter(({ path }) => /\.tsx?$/.test(path))

describe('the names that files of src export', () => {
  it('belong to one file each', () => {
    expect(sources.length).toBeGreaterThan(500)
    expect(namesExportedTwice(sources), ORDER_OF_NAMES).toEqual([])
  })

  it('are found where two files have the same one', () => {
    const twice = [
      { path: 'state/a.ts', text: 'export interface Run {}\nexport function runOf() {}' },
      { path: 'server/b.ts', text: "import { x } from 'y'\nexport type Run = string" },
    ]
    expect(namesExportedTwice(twice)).toEqual(['Run: state/a.ts, server/b.ts'])
  })

  it('may repeat in siblings', () => {
    const siblings = [
      { path: 'protocols/cap/handle.ts', text: 'export function readHandle() {}' },
      { path: 'protocols/a2a/handle.ts', text: 'export function readHandle() {}' },
    ]
    expect(namesExportedTwice(siblings)).toEqual([])
  })
})
