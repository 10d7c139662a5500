import { describe, expect, it } from 'vitest'
import { readTree } from '../layers/files.ts'

const files = readTree('playground/src/')
const scripts = files.filter(({ path }) => /\.tsx?$/.test(path))
const sheets = files.filter(({ path }) => path.endsWith('.css'))

/** What a file imports from the sources of the library past its entry points. */
const inner = (text: string): string[] =>
  [...text.matchAll(/from '((?:\.\.\/)+src\/[^']+)'/g)].flatMap(([, path]) => path ?? [])

describe('the page of the playground', () => {
  it('takes the library through its entry points, as a user does; the inspector alone looks inside, in one file', () => {
    expect(scripts.filter(({ text }) => inner(text).length > 0).map(({ path }) => path)).toEqual(['wire/inner.ts'])
    expect(scripts.some(({ text }) => text.includes("from 'capstan/components'"))).toBe(true)
  })

  it('would be caught with a deep import', () => {
    expect(inner("import { Chat } from '../../../src/components/chat/chat.tsx'")).toEqual([
      '../../../src/components/chat/chat.tsx',
    ])
  })

  it('restyles nothing of capstan: no selector of its sheets names a class of it', () => {
    expect(sheets.length).toBeGreaterThan(2)
    const restyled = sheets.flatMap(({ path, text }) =>
      [...text.replaceAll(/var\(--cs-[\w-]+/g, '').matchAll(/\.cs-[\w-]+|\[class[^\]]*cs-/g)].map(
        ([selector]) => `${path}: ${selector}`,
      ),
    )
    expect(restyled).toEqual([])
  })

  it('has the classes of capstan on its buttons, and nowhere else', () => {
    expect(scripts.filter(({ text }) => /className=[^>]*\bcs-/.test(text)).map(({ path }) => path)).toEqual([
      'button.tsx',
    ])
  })

  it('uses only the colours of the tokens', () => {
    const colours = files.flatMap(({ path, text }) =>
      path.endsWith('.svg')
        ? []
        : [...text.matchAll(/#[0-9a-f]{3,8}\b(?=[;'" )])|\b(?:rgb|hsl|oklch)\(/gi)].map(
            ([colour]) => `${path}: ${colour}`,
          ),
    )
    expect(colours).toEqual([])
  })
})
