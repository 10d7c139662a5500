import type { PartAttribute } from '../src/components/internals/part.ts'
import { ATTRIBUTE_TABLES } from './attribute-tables.ts'

/** The page with the table of `data-*` attributes, and the heading it is under. */
export const ATTRIBUTE_PAGE = 'docs/components.md'
const HEADING = '## Data attributes\n'

/** The page with its table made again from the tables of the parts. What is internal is left out. */
export function withAttributeTable(page: string): string {
  const heading = page.indexOf(HEADING)
  const begin = page.indexOf('\n|', heading) + 1
  const end = page.indexOf('\n\n', begin) + 1
  if (heading === -1 || begin === 0 || end === 0) throw new Error(`${ATTRIBUTE_PAGE} has no table under: ${HEADING}`)
  return page.slice(0, begin) + attributeTable() + page.slice(end)
}

function attributeTable(): string {
  const rows = Object.entries(ATTRIBUTE_TABLES).flatMap(([part, elements]) =>
    Object.entries(elements)
      .filter(([, { internal = false }]) => !internal)
      .flatMap(([name, { attributes }]) =>
        Object.entries(attributes).map(([attribute, { values, meaning }]) => {
          const where = name === 'root' ? `\`${part}\`` : `\`${part}\`, ${name}`
          return `| ${where} | \`${attribute}\` | ${valuesCell(values)} | ${meaning} |\n`
        }),
      ),
  )
  return `| Element | Attribute | Values | What |\n|---|---|---|---|\n${rows.join('')}`
}

function valuesCell(values: PartAttribute['values']): string {
  if (values === 'present') return 'present'
  return values === 'any' ? 'text' : values.map((value) => `\`${value}\``).join(', ')
}
