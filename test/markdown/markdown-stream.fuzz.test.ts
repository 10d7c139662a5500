import { describe, expect, it } from 'vitest'
import { type FuzzKind, runFuzz } from './fuzz-runs.ts'

/** `npm run test:markdown` runs many times more of each. */
const STREAMS: [kind: FuzzKind, count: number][] = [
  ['lines', 250],
  ['plain', 150],
  ['formulas', 250],
  ['formula paragraphs', 8],
  ['concatenations', 60],
  ['paragraphs', 8],
]
const PEERS: [kind: FuzzKind, count: number][] = [
  ['commonmark', 1500],
  ['github', 400],
]

describe('messages of hostile lines, cut anywhere', () => {
  it.each(STREAMS)('end as the tree of the whole text; what was settled stays the same object: %s', (kind, count) => {
    expect(runFuzz(kind, 2026, count).faults).toEqual([])
  })
})

describe('messages of hostile lines that another parser reads as well', () => {
  it.each(PEERS)('are read alike, but for what is listed with its reason: %s', (kind, count) => {
    expect(runFuzz(kind, 2026, count).faults).toEqual([])
  })
})
