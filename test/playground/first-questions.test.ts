import { describe, expect, it } from 'vitest'
import { fileURLToPath } from 'node:url'
import { readDocsPages } from '../../playground/server/docs/docs-page.ts'
import { sectionsOf } from '../../playground/server/docs/sections.ts'
import { askAll, type AskedQuestion } from './first-questions/ask-all.ts'
import { LATER_QUESTIONS } from './first-questions/later-questions.ts'
import { FIRST_QUESTIONS } from './first-questions/questions.ts'

const missedOf = (asked: readonly AskedQuestion[]): string[] =>
  asked.filter(({ hit }) => !hit).map(({ asked: question }) => question)

describe('the first questions of newcomers', () => {
  it('are sixty, and twenty more that the search was not tuned on, none of them twice', () => {
    expect(FIRST_QUESTIONS).toHaveLength(60)
    expect(LATER_QUESTIONS).toHaveLength(20)
    expect(new Set([...FIRST_QUESTIONS, ...LATER_QUESTIONS].map(({ asked }) => asked)).size).toBe(80)
  })

  it('are all answered by sections that are there', async () => {
    const pages = await readDocsPages(fileURLToPath(new URL('../..', import.meta.url)))
    const sections = new Set(pages.flatMap(sectionsOf).map(({ id }) => id))
    const wanted = [...FIRST_QUESTIONS, ...LATER_QUESTIONS].flatMap(({ answeredBy }) => answeredBy)
    expect(wanted.filter((id) => !sections.has(id))).toEqual([])
  })

  it('are answered by one of the first two sources, at least 54 of 60', async () => {
    const missed = missedOf(await askAll(FIRST_QUESTIONS))
    expect(60 - missed.length, missed.join('\n')).toBeGreaterThanOrEqual(54)
  })

  it('are answered no worse than when they were written, where the search was not tuned on them: 15 of 20', async () => {
    const missed = missedOf(await askAll(LATER_QUESTIONS))
    expect(20 - missed.length, missed.join('\n')).toBeGreaterThanOrEqual(15)
  })
})
