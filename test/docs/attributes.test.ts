import { describe, expect, it } from 'vitest'
import { ATTRIBUTE_PAGE, withAttributeTable } from '../../scripts/attribute-guide.ts'
import { ATTRIBUTE_TABLES } from '../../scripts/attribute-tables.ts'
import { readTree } from '../layers/files.ts'
import { readPage } from './pages.ts'

const files = ['src/components/', 'src/markdown/'].flatMap(readTree)
/** The names of the tables, each beside its component. */
const tables = files.flatMap(({ text }) =>
  [...text.matchAll(/^export const (\w+Attributes) = \{$/gm)].map(([, name = '']) => name),
)

describe('the table of data attributes', () => {
  it('in the guide is the one beside the components', () => {
    const { text } = readPage(ATTRIBUTE_PAGE)
    expect(text === withAttributeTable(text), 'Run npm run docs:attributes and commit the page.').toBe(true)
  })

  it('has the table of every part', () => {
    // Components that share a table, such as meters, each have a row of it.
    const listed = new Set(Object.values(ATTRIBUTE_TABLES))
    expect(tables.length, 'Give each table its row in scripts/attribute-tables.ts.').toBe(listed.size)
  })

  it('has every attribute that a component writes', () => {
    const known = new Set(
      Object.values(ATTRIBUTE_TABLES).flatMap((elements) =>
        Object.values(elements).flatMap(({ attributes }) => Object.keys(attributes)),
      ),
    )
    const unknown = files
      .filter(({ path }) => path.endsWith('.tsx'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/'(data-[a-z-]+)':|\s(data-[a-z-]+)=/g)].flatMap(([, key, attribute]) => {
          const name = key ?? attribute ?? ''
          return known.has(name) ? [] : [`${path}: ${name}`]
        }),
      )
    expect(unknown, 'Add it to the table of the part, `<part>Attributes`.').toEqual([])
  })

  it('costs no code: only types are taken from it', () => {
    const used = files.flatMap(({ path, text }) => {
      const code = text.replaceAll(
        /^import type .*$|^export const \w+Attributes = \{$|\btype(?:of)? \w+Attributes\b/gm,
        '',
      )
      return tables.filter((table) => new RegExp(`\\b${table}\\b`).test(code)).map((table) => `${path}: ${table}`)
    })
    expect(used).toEqual([])
  })
})
