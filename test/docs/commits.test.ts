import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'

const LONGEST_SUBJECT = 72

function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return undefined
  }
}

/**
 * Commits of this branch that main does not have. On main, and in a shallow checkout of CI that knows no main, only the commit that
 * is checked out. Empty without git, as in an unpacked archive.
 */
function subjects(): readonly string[] {
  if (!existsSync(`${ROOT}.git`)) return []
  const base = ['origin/main', 'main'].find((name) => git('rev-parse', '--verify', '--quiet', name) !== undefined)
  const own = base === undefined ? undefined : git('log', '--no-merges', '--format=%s', `${base}..HEAD`)
  return (own || git('log', '-1', '--no-merges', '--format=%s') || '').split('\n').filter((subject) => subject !== '')
}

const isTooLong = (subject: string): boolean => subject.length > LONGEST_SUBJECT

describe('the commits since main', () => {
  it('have subjects of at most 72 characters', () => {
    expect(subjects().filter(isTooLong), 'Reword with git rebase; put the reason into the body.').toEqual([])
  })

  it('are measured: 72 characters pass, 73 do not', () => {
    expect(isTooLong('x'.repeat(LONGEST_SUBJECT))).toBe(false)
    expect(isTooLong('x'.repeat(LONGEST_SUBJECT + 1))).toBe(true)
  })
})
