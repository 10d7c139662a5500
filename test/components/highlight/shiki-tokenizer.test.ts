import { describe, expect, it } from 'vitest'
import { createShikiTokenizer } from '../../../src/components/highlight/shiki-tokenizer.ts'

describe('shiki', () => {
  async function kindsOf(language: string, code: string): Promise<string[]> {
    // The names are those of the test's own lines.
    const { default: list } = (await import(`../../../node_modules/shiki/dist/langs/${language}.mjs`)) as {
      default: object[]
    }
    const tokenizer = createShikiTokenizer(list)
    while (tokenizer.prepare?.()) continue
    let state: unknown
    return code.split('\n').flatMap((line) => {
      const result = tokenizer.tokenize(line, state)
      state = result?.state
      expect(result?.tokens.map(({ text }) => text).join('')).toBe(line)
      return (result?.tokens ?? []).filter(({ kind }) => kind).map(({ text, kind }) => `${kind}:${text.trim()}`)
    })
  }

  it('tells keywords, strings, numbers, comments and names apart', async () => {
    expect(
      await kindsOf('typescript', 'export function go(x: number) {\n  return `a${x + 12}b` /* open\n  still */ + 1\n}'),
    ).toEqual([
      'keyword:export function',
      'name:go',
      'keyword:return',
      'string:`a',
      'number:12',
      'string:b`',
      'comment:/* open',
      'comment:still */',
      'number:1',
    ])
  })

  it('carries what is open from line to line', async () => {
    expect(await kindsOf('python', 'def f():\n  """one\n  2\n  """\n  return 3')).toEqual([
      'keyword:def',
      'name:f',
      'string:"""one',
      'string:2',
      'string:"""',
      'keyword:return',
      'number:3',
    ])
  })
})
