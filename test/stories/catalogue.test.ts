import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { storyNameFromExport, toId } from 'storybook/internal/csf'
import { beforeAll, describe, expect, it } from 'vitest'
import { PAGES } from '../../stories/events/packets.ts'
import { PRESENTATION_TYPES } from '../../src/protocols/cap/presentation/presentation-types.ts'
import { streamPacketSchema } from '../../src/protocols/cap/schema/packet.ts'
import * as entryPoint from '../../src/components.ts'
import type { ComponentDocs } from './docgen.ts'
import { createDocgen } from './docgen.ts'

interface StoriesFile {
  readonly default: { readonly title: string; readonly component?: unknown; readonly tags?: readonly string[] }
  readonly [story: string]: unknown
}

const FEWEST_STORIES = 60

const FEWEST_PICTURES = 10

const catalogue = import.meta.glob<StoriesFile>('../../stories/**/*.stories.tsx', { eager: true })
const files = Object.entries(catalogue)

const CONTEXT = Symbol.for('react.context')
const isContext = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Reflect.get(value, '$$typeof') === CONTEXT

/** Every component of the entry point: what begins with a capital letter and can be rendered. */
const components = Object.entries(entryPoint).filter(([name, value]) => /^[A-Z]/.test(name) && !isContext(value))

/** Shown on pages of other components: prompts in their dock, leases in a permission, strings in each language. */
const WITHOUT_PAGE = [
  ...['JobStringsProvider', 'PromptStringsProvider', 'TaskStringsProvider'],
  ...['LeaseList', 'PromptCard', 'PromptTrace'],
]

/** The file behind each name of the entry point. */
function sourceOf(name: string): string {
  const source = readFileSync('src/components.ts', 'utf8')
  for (const [, names = '', from = ''] of source.matchAll(/export \{([^}]*)\} from '([^']+)'/g)) {
    if (names.split(',').some((entry) => entry.trim() === name)) return resolve('src', from)
  }
  throw new Error(`src/components.ts does not say where ${name} comes from.`)
}

describe('the catalogue', () => {
  it('has a page for every component of the entry point', () => {
    const shown = new Set(files.map(([, { default: meta }]) => meta.component))
    const missing = components
      .filter(([name, component]) => !shown.has(component) && !WITHOUT_PAGE.includes(name))
      .map(([name]) => name)
    expect(
      missing,
      'Add stories/<name>.stories.tsx with `component: <Name>`; stories/support/still-chat.tsx says how.',
    ).toEqual([])
  })

  it('shows the props of each: no page opts out of autodocs', () => {
    const hidden = files.filter(([, { default: meta }]) => meta.tags?.includes('!autodocs')).map(([path]) => path)
    expect(hidden).toEqual([])
    expect(readFileSync('.storybook/preview.tsx', 'utf8')).toContain("tags: ['autodocs']")
  })

  it('gives every page its own title', () => {
    const titles = files.map(([, { default: meta }]) => meta.title)
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
  })

  it(`tells at least ${FEWEST_STORIES} stories`, () => {
    const stories = files.flatMap(([, { default: _meta, ...stories }]) => Object.keys(stories))
    expect(stories.length).toBeGreaterThanOrEqual(FEWEST_STORIES)
  })

  it('keeps a picture in light and in dark of each story that is tagged for one', () => {
    const tagged = files.flatMap(([, { default: meta, ...stories }]) =>
      Object.entries(stories).flatMap(([name, story]) => {
        const tags: unknown = Reflect.get(Object(story), 'tags')
        return Array.isArray(tags) && tags.includes('picture')
          ? [toId(meta.title, storyNameFromExport(name)).replace('--', '-')]
          : []
      }),
    )
    expect(tagged.length).toBeGreaterThanOrEqual(FEWEST_PICTURES)
    const references = readdirSync('test/stories/references')
    expect(references.toSorted()).toEqual(tagged.flatMap((id) => [`${id}-dark.png`, `${id}-light.png`]).toSorted())
  })
})

describe('the props table', () => {
  const docs = new Map<string, ComponentDocs>()

  beforeAll(async () => {
    const docgen = await createDocgen()
    for (const [name] of components) {
      const found = (await docgen(sourceOf(name))).get(name)
      if (found !== undefined) docs.set(name, found)
    }
  }, 120_000)

  it.each(components.map(([name]) => name))('of %s says what it is and what each prop does', (name) => {
    const found = docs.get(name)
    expect(found?.description, 'the sentence above the component').toMatch(/\S/)
    const silent = Object.entries(found?.props ?? {}).filter(([, prop]) => !/\S/.test(prop.description ?? ''))
    expect(
      silent.map(([prop]) => prop),
      'props without a sentence',
    ).toEqual([])
  })
})

describe('the pages of protocol events', () => {
  it.each(Object.entries(PAGES))('%s shows packets a server may write', (_name, { packets }) => {
    for (const packet of packets) expect(streamPacketSchema.safeParse(packet).error?.issues ?? []).toEqual([])
  })

  it('has a page for every entry of the table', () => {
    const shown = files.map(([, { default: meta }]) => Reflect.get(Reflect.get(meta, 'args') ?? {}, 'name') as unknown)
    expect(
      Object.keys(PAGES).filter((name) => !shown.includes(name)),
      'Add stories/events/<name>.stories.tsx for each page of stories/events/packets.ts.',
    ).toEqual([])
  })

  it('has a page for every presentation event', () => {
    const typed = Object.values(PAGES).flatMap(({ packets }) =>
      packets.flatMap(({ p }) => (typeof p === 'string' ? [] : [p['type']])),
    )
    expect(
      PRESENTATION_TYPES.filter((type) => !typed.includes(type)),
      'Add an entry to PAGES in stories/events/packets.ts, and its page beside it.',
    ).toEqual([])
  })
})
