import { describe, expect, it } from 'vitest'
import { readTree } from '../layers/files.ts'

/** Words of our own for what has a term in the field, and that term. */
const BANNED: readonly [word: RegExp, use: string][] = [
  [/\bdoors?\b/i, 'entry point'],
  [/\b(?:line-?slots|line-?watch|line-?gate|line-?errors|line-?trouble)\b/i, 'connection slots, stall detector, line buffer, connection errors, reconnect attempt'],
  [/\bEndLine\b/, 'MessageStatusRow'],
  [/\b(?:take-?up|takeUp)\b/, 'restore'],
  [/\b(?:chat-?home)\b/i, 'chat storage'],
  [/\btidings\b/i, 'result'],
  [/\b(?:tended-?reader)\b/i, 'failover reader'],
  [/\bsilentAfter\b/, 'withTimeout'],
  [/\b(?:own-?parts)\b/i, 'customizable parts'],
  [/\b(?:attempt-?pacer|mayHurry)\b/i, 'rate limiter, canRetryNow'],
]
const PLACES = /^(?:src|docs|stories|playground|scripts|test|README\.md|SECURITY\.md|CONTRIBUTING\.md|AGENTS\.md|CHANGELOG\.md)/
/** Decisions tell what was known when they were made; the table of renames and this list have to name the old words. */
const EXEMPT = /^(?:docs\/decisions\/|CHANGELOG\.md$|test\/docs\/words\.test\.ts$)/

const WHAT_TO_DO = 'Each line names a word that has a term in the field, and that term. Use it: readers look for it with grep.'

function bannedWords(files: readonly { readonly path: string; readonly text: string }[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => BANNED.flatMap(([word, use]) => (word.test(line) || (index === 0 && word.test(path)) ? [`${path}:${index + 1} ${word.exec(line)?.[0] ?? path}: use ${use}`] : []))),
  )
}

describe('the words of the repository', () => {
  it('are the terms of the field where there is one', () => {
    const files = readTree('').filter(({ path }) => PLACES.test(path) && !EXEMPT.test(path))
    expect(files.length).toBeGreaterThan(500)
    expect(bannedWords(files), WHAT_TO_DO).toEqual([])
  })

  it('are found where they are planted', () => {
    expect(bannedWords([{ path: 'src/a.ts', text: 'one\n/** Each door. */' }])).toEqual(['src/a.ts:2 door: use entry point'])
    expect(bannedWords([{ path: 'src/line-watch.ts', text: '' }])).toHaveLength(1)
  })
})
