// @vitest-environment jsdom
import type { Meta } from '@storybook/react-vite'
import { composeStory } from '@storybook/react-vite'
import { act, cleanup } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DictionaryProvider } from '../../../src/components/dictionary/dictionary-context.tsx'
import { packOf } from '../../../src/components/dictionary/use-pack.ts'
import { formIn } from '../../../src/components/schema-form/lazy-form.ts'
import { loadOnDemand } from '../../support/load-on-demand.ts'
import { englishOnly, OTHERS, spokenIn } from './every-string.ts'

// Every story of every component, on a page whose one provider names another language.

type Story = Exclude<Parameters<typeof composeStory>[0], (...given: never[]) => unknown>

interface StoriesFile {
  readonly default: Meta
  readonly [story: string]: unknown
}

const files = import.meta.glob<StoriesFile>('../../../stories/**/*.stories.tsx', { eager: true })

const FEWEST_STORIES = 400

/** Stories in a language of their own. */
const IN_A_LANGUAGE = /^(German|Arabic|Chinese|English|RightToLeft)/

/** Texts that the agent, the user or the host of a story wrote, and that happen to be strings of the app too. */
const OF_THE_STORY: readonly string[] = [
  `approval-card: Allow ${'!'.repeat(74)}…`,
  'approval-card: Deny',
  'approval-card: Your approval is needed',
  'chat-header: New conversation',
  'composer: larger than 10 MB',
  'message-list: Message',
  'permission-prompt: Allow writing to /reports/lower-reach?',
  'schema-form: Address',
  'schema-form: Code',
  'schema-form: None',
  'shared-state: Title',
  'task-card: Run again',
  'tools: Allow',
  'tools: Error',
]

beforeAll(async () => {
  // Stories whose parts throw, for the error boundary.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await Promise.all([
    loadOnDemand(),
    formIn(undefined).load(),
    ...['ar', 'de', 'zh'].map((lang) => formIn(lang).load()),
    import('../../../src/components/prompt-area/prompt-components.ts'),
  ])
})

afterAll(() => {
  vi.restoreAllMocks()
})

describe.each(['german', 'arabic', 'chinese'] as const)('a page in %s', (name) => {
  it('has no string, clock or plural in English, whatever story it shows', { timeout: 180_000 }, async () => {
    const strings = OTHERS[name]
    await packOf(strings.language.lang)?.load()
    const isEnglish = englishOnly(name)
    const left = new Set<string>()
    let count = 0
    for (const [path, { default: meta, ...stories }] of Object.entries(files)) {
      for (const [story, value] of Object.entries(stories)) {
        if (IN_A_LANGUAGE.test(story)) continue
        count++
        const inLanguage = (Story: () => ReactElement): ReactElement => (
          <DictionaryProvider strings={strings}>
            <Story />
          </DictionaryProvider>
        )
        const container = document.body.appendChild(document.createElement('div'))
        // A file of stories exports nothing else. What `play` does asks for English names.
        const shown = composeStory(
          { ...(value as Story), play: async () => {} },
          meta,
          { decorators: [inLanguage] },
          story,
        )
        await shown.run({ canvasElement: container })
        await act(() => new Promise((resolve) => setTimeout(resolve)))
        for (const text of spokenIn(document.body)) {
          if (isEnglish(text)) left.add(`${/([\w-]+)\.stories/.exec(path)?.[1] ?? path}: ${text}`)
        }
        cleanup()
        container.remove()
      }
    }
    expect(count).toBeGreaterThan(FEWEST_STORIES)
    expect([...left].filter((text) => !OF_THE_STORY.includes(text))).toEqual([])
  })
})
