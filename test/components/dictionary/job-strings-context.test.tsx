// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { DictionaryProvider } from '../../../src/components/dictionary/dictionary-context.tsx'
import { JobCard } from '../../../src/components/job-card.tsx'
import { arabicJobs } from '../../../src/strings/arabic-pack.ts'
import { chineseJobs } from '../../../src/strings/chinese-pack.ts'
import { englishJobs } from '../../../src/strings/jobs.ts'
import { germanJobs } from '../../../src/strings/german-pack.ts'
import { JobStringsProvider } from '../../../src/components/dictionary/job-strings-context.tsx'
import { arabic } from '../../../src/strings/arabic.ts'
import { chinese } from '../../../src/strings/chinese.ts'
import { german } from '../../../src/strings/german.ts'

afterEach(cleanup)

it.each([
  [german, germanJobs],
  [arabic, arabicJobs],
  [chinese, chineseJobs],
] as const)('are fetched in the language of the dictionary', async (strings, jobs) => {
  render(
    <DictionaryProvider strings={strings}>
      <JobCard state="running" />
    </DictionaryProvider>,
  )
  expect((await screen.findByText(jobs.states.running)).isConnected).toBe(true)
  expect(screen.getByRole('group', { name: jobs.job.title }).isConnected).toBe(true)
})

it('are those of the provider where there is one, at once', () => {
  render(
    <JobStringsProvider strings={germanJobs}>
      <JobCard state="running" />
    </JobStringsProvider>,
  )
  expect(screen.getByText('Läuft').isConnected).toBe(true)
})

/** All words, functions called with a number. */
function wordsOf(strings: object): string[] {
  return Object.values(strings).flatMap((value: unknown) => {
    if (typeof value === 'string') return [value]
    // Functions of strings take numbers or texts.
    if (typeof value === 'function') return [String((value as (...given: unknown[]) => unknown)(3, 12))]
    return typeof value === 'object' && value !== null ? wordsOf(value) : []
  })
}

it('are whole in each language, and none is left in English', () => {
  const english = wordsOf(englishJobs)
  for (const other of [germanJobs, arabicJobs, chineseJobs]) {
    const words = wordsOf(other)
    expect(words).toHaveLength(english.length)
    expect(words.every((word) => word.trim() !== '')).toBe(true)
    expect(words.filter((word, at) => word === english[at] && /[a-z]{3}/i.test(word)).length).toBeLessThan(5)
  }
})
