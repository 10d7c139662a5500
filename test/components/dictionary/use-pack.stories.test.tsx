// @vitest-environment jsdom
import type { Meta } from '@storybook/react-vite'
import { composeStory } from '@storybook/react-vite'
import { act, cleanup } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DictionaryProvider } from '../../../src/components/dictionary/dictionary-context.tsx'
import { packOf } from '../../../src/components/dictionary/use-pack.ts'
import { formIn } from '../../../src/components/schema-form/schema-form.tsx'
import { loadOnDemand } from '../../support/load-on-demand.ts'
import { ENGLISH, OTHERS, stringsOf } from './every-string.ts'

// Every story of every component, on a page whose one provider names another language.

type Story = Exclude<Parameters<typeof composeStory>[0], (...given: never[]) => unknown>

interface StoriesFile {
  readonly default: Meta
  readonly [story: string]: unknown
}

const files = import.meta.glob<StoriesFile>('../../../stories/**/*.stories.tsx', { eager: true })

const FEWEST_STORIES = 400

/** Stories in their own language. */
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

const SPOKEN = [
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'title',
  'placeholder',
  'alt',
]

/** Texts and attributes that a user reads or hears. */
function spokenIn(root: Element): ReadonlySet<string> {
  const found = new Set<string>()
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() !== null) found.add(walker.currentNode.textContent?.trim() ?? '')
  for (const element of root.querySelectorAll(SPOKEN.map((name) => `[${name}]`).join()))
    for (const name of SPOKEN) found.add(element.getAttribute(name)?.trim() ?? '')
  return found
}

/** What English says and the other language says otherwise, by its path; numbers and names are the story's. */
function englishOnly(other: keyof typeof OTHERS): ReadonlyMap<string, RegExp> {
  const translated = stringsOf(OTHERS[other])
  const patterns = new Map<string, RegExp>()
  for (const [path, forms] of stringsOf(ENGLISH))
    for (const [at, form] of forms.entries()) {
      if (form === translated.get(path)?.[at] || !/[a-z]{3}/i.test(form)) continue
      const pattern = form.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replace(/\d[\d,\\.]*/g, '.+')
      patterns.set(`${path}: ${form}`, new RegExp(`^${pattern}$`))
    }
  return patterns
}

beforeAll(async () => {
  // Stories whose parts throw, for the error boundary.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await Promise.all([
    loadOnDemand(),
    formIn(undefined).load(),
    ...['ar', 'de', 'zh'].map((lang) => formIn(lang).load()),
    import('../../../src/components/prompt-components.ts'),
  ])
})

afterAll(() => {
  vi.restoreAllMocks()
})

describe.each(['german', 'arabic', 'chinese'] as const)('a page in %s', (name) => {
  it('has no string, clock or plural in English, whatever story it shows', { timeout: 180_000 }, async () => {
    const strings = OTHERS[name]
    await packOf(strings.language.lang)?.load()
    const patterns = englishOnly(name)
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
          const english = /\d\s?[AP]M\b/.test(text) || [...patterns.values()].some((pattern) => pattern.test(text))
          if (english) left.add(`${/([\w-]+)\.stories/.exec(path)?.[1] ?? path}: ${text}`)
        }
        cleanup()
        container.remove()
      }
    }
    expect(count).toBeGreaterThan(FEWEST_STORIES)
    expect([...left].filter((text) => !OF_THE_STORY.includes(text))).toEqual([])
  })
})
