// @vitest-environment jsdom
import { readFileSync } from 'node:fs'
import type { ReactElement } from 'react'
import { isValidElement } from 'react'
import { describe, expect, it } from 'vitest'
import * as entryPoint from '../src/components.ts'
import { createFakeChat, errorOf, connectionAt } from './components/fake-chat.ts'
import { show } from './components/show.tsx'
import { readTree } from './layers/files.ts'
import type { Given } from './theming/every-part.tsx'
import { EVERY_PART, MESSAGES, WITH_TESTS_OF_THEIR_OWN } from './theming/every-part.tsx'

// What a host can rely on in every part: it takes the props of its element, and says its state where styles can see it.

/** They show what they are given, or nothing of their own. */
const NO_PARTS = [
  'CitationProvider',
  'CitedText',
  'DictionaryProvider',
  'DraftContext',
  'ErrorBoundary',
  'MarkdownProvider',
  'MediaPolicyProvider',
  'RenderErrorContext',
]

/** The voice of a chat, never seen; and the banner, which is an `ErrorBanner` and has its props. */
const WITHOUT_ROOT_PROPS = ['Announcer', 'ChatBanner']

/** Their element is what they do: a form that is submitted, a scroller that is measured, a dialog, a picture, a button. */
const WITHOUT_RENDER = [
  'Chat',
  'Composer',
  'CopyAction',
  'EditAction',
  'Icon',
  'MessageList',
  'RetryAction',
  'SourcesPanel',
]

const PARTS: [string, (given: Given) => ReactElement][] = Object.entries(EVERY_PART).filter(
  ([name]) => !WITHOUT_ROOT_PROPS.includes(name),
)
const RENDERING = PARTS.filter(([name]) => !WITHOUT_RENDER.includes(name))

function shown(part: ReactElement): HTMLElement {
  const chat = createFakeChat({
    messages: MESSAGES,
    connection: connectionAt({ phase: 'streaming' }),
    error: errorOf(),
  })
  return show(chat, part).container
}

function rootOf(container: HTMLElement): Element {
  if (container.firstElementChild === null) throw new Error('This part shows nothing.')
  return container.firstElementChild
}

describe('the components', () => {
  it('are all held to this', () => {
    const parts = Object.entries(entryPoint).filter(
      ([name, value]) =>
        /^[A-Z]/.test(name) && ![...NO_PARTS, ...WITH_TESTS_OF_THEIR_OWN].includes(name) && !isValidElement(value),
    )
    expect(
      [...Object.keys(EVERY_PART), 'Announcer'].toSorted(),
      'Give a new component its entry in test/theming/every-part.tsx, which this and other tests go through.',
    ).toEqual(parts.map(([name]) => name).toSorted())
  })

  it.each(PARTS)('%s takes className and any other attribute of its element', (_, part) => {
    const root = rootOf(shown(part({ className: 'mine', 'data-test': 'here' })))
    expect([...root.classList]).toContain('mine')
    expect([...root.classList].filter((name) => name.startsWith('cs-')).length).toBeGreaterThan(0)
    expect(root.getAttribute('data-test')).toBe('here')
  })

  it.each(RENDERING)('%s is on the element that render makes', (_, part) => {
    const plain = rootOf(shown(part({ className: 'mine' })))
    const root = rootOf(
      shown(part({ className: 'mine', 'data-test': 'here', render: (props) => <x-root {...props} /> })),
    )
    expect(root.localName).toBe('x-root')
    expect(root.className).toBe(plain.className)
    expect(root.getAttribute('data-test')).toBe('here')
    expect(root.childNodes).toHaveLength(plain.childNodes.length)
  })

  // The elements of markdown are those of the message: the sheet names them below `.cs-md`.
  it.each(Object.entries(EVERY_PART))(
    '%s has a class on every element of its own that browsers and resets give margins, edges or fonts',
    (_, part) => {
      const container = shown(part({}))
      const bare = [
        ...container.querySelectorAll(
          'p, h1, h2, h3, h4, h5, h6, ul, ol, dl, dd, pre, figure, blockquote, button, input, textarea, select, table, fieldset, legend, svg, img, a, hr, summary, code, kbd, progress',
        ),
      ]
        .filter(
          (element) =>
            !/(^| )cs-/.test(element.getAttribute('class') ?? '') &&
            element.closest('.cs-hidden') === null &&
            element.closest('.cs-md') === null,
        )
        .map((element) => element.outerHTML.slice(0, 80))
      expect(bare).toEqual([])
    },
  )
})

describe('the table of classes in the guide', () => {
  const section =
    readFileSync('docs/theming.md', 'utf8').split('## Which classes can I rely on?')[1]?.split('\n## ')[0] ?? ''
  // Components with their own tests have their own tables below.
  const [ownTable = '', ...otherTables] = section.split(/\n[A-Z][\w, ]+:\n\n(?=\|)/)
  const rows = rowsOf(ownTable)
  const table = new Map(
    rows.map((row) => {
      const [name = '', classes = ''] = row
        .split('|')
        .slice(1)
        .map((cell) => cell.trim())
      const words = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
      return [words(name)[0] ?? '', words(classes)]
    }),
  )

  it('has every part', () => {
    expect(
      [...table.keys()].toSorted(),
      'Give a new component its row under "Which classes can I rely on?" in docs/theming.md.',
    ).toEqual(PARTS.map(([name]) => name).toSorted())
  })

  it('names for components with their own tables the class that their source gives their root', () => {
    const sources = readTree('src/components/')
    const named = otherTables.flatMap(rowsOf).flatMap((row) => {
      const [, parts = '', classes = ''] = row.split('|')
      return [...parts.matchAll(/`([^`]+)`/g)].map(([, part = '']) => [part, /`(cs-[^`]+)`/.exec(classes)?.[1] ?? ''])
    })
    expect(
      named.length,
      'Fewer than 16 rows were read from the tables below the first one. Keep them under "Which classes can I rely on?" in docs/theming.md, each after a sentence such as "Jobs of a runtime:".',
    ).toBeGreaterThan(15)
    const wrong = named.filter(([part = '', given = '']) => {
      const source = sources.find(({ text }) => new RegExp(`export (const|function) ${part}\\b`).test(text))
      const folder = source?.path.split('/')[0]
      return !sources.some(
        ({ path, text }) => path.split('/')[0] === folder && new RegExp(`cs-part ${given}[ '"]`).test(text),
      )
    })
    expect(
      wrong,
      'Each entry is a component and the class that docs/theming.md gives its root, but neither the file of the component nor another of its folder has that class beside cs-part in one className ("cs-part cs-rating"). Correct the row in the guide, or give the root of the component both classes.',
    ).toEqual([])
  })

  // Their attributes are held to their tables by test/components.docs.test.tsx.
  it.each(PARTS)('says which class %s has', (name, part) => {
    const root = rootOf(shown(part({})))
    expect(
      [...root.classList].filter((given) => given !== 'cs-part'),
      `The root of ${name} has other classes than its row under "Which classes can I rely on?" in docs/theming.md says. A new component: write them there. An old one: people rely on these classes, so give the root its old ones back, or list the change under "Changed" in CHANGELOG.md.`,
    ).toEqual(table.get(name))
  })
})

function rowsOf(table: string): string[] {
  return table.split('\n').filter((line) => /^\| `[A-Z]/.test(line))
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'x-root': object
    }
  }
}
