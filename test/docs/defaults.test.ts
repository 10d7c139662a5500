import { afterAll, describe, expect, it } from 'vitest'
import { readCodeDefaults } from './code-defaults.ts'
import { readPage, tableUnder } from './pages.ts'
import { readPublicApi } from './public-api.ts'
import type { WhenAbsent } from './tsdoc.ts'

const api = readPublicApi()
afterAll(() => api.close())

const RULE =
  'Say what holds without it: `@default <value>` where a value takes its place, or a sentence "Absent: <what happens>." where nothing does. Not both. CONTRIBUTING.md, "How are public names documented?", has the rule.'

const components = readPage('docs/components.md')
const hooks = readPage('docs/hooks.md')

/** Name of the property and default of each row of a table: props or options of one of the types, or of the type in its first cell. */
function rowsOf(
  page: typeof hooks,
  heading: string,
  types: readonly string[],
): (readonly [names: string[], cell: string])[] {
  return tableUnder(page, heading).map((cells) => {
    const plain = cells.map((cell) => cell.replaceAll('`', ''))
    if (types.length === 0) return [[`${plain[0]}Props.${plain[1]}`], plain[3] ?? '']
    return [types.map((type) => `${type}.${plain[0]}`), plain[2] ?? '']
  })
}

/** What the guide may say in its column "Default": for "Absent: no files: there is no button." also "no files". */
function cellsFor(whenAbsent: WhenAbsent | undefined): string[] {
  if (whenAbsent === undefined) return ['required']
  const text = whenAbsent.text.replaceAll('`', '')
  return whenAbsent.kind === 'default' ? [text] : [text, text.replace(/[,:].*/, ''), 'none']
}

describe('the column "Default" of the guides', () => {
  it.each([
    ['Props of Chat', components, ['ChatProps']],
    ['The message list', components, ['MessageListProps']],
    ['The composer', components, ['ComposerProps']],
    ['Props of the parts', components, []],
    ['AgentProvider', hooks, ['AgentProviderProps']],
    ['Options of useCapChat', hooks, ['ChatInstanceOptions', 'ChatCallbacks']],
    ['useCapAssist', hooks, ['CapAssistOptions']],
    ['Read only a part of a chat', hooks, ['ChatSelectorOptions']],
  ])('says what the comments in the source say: %s', (heading, page, types) => {
    const rows = rowsOf(page, heading, types)
    const wrong = rows.flatMap(([names, cell]) => {
      const property = api.optionalProperties.find(({ name }) => names.includes(name))
      const allowed = cellsFor(property?.doc.whenAbsent[0])
      return allowed.includes(cell) ? [] : [`${names.join(' or ')}: ${cell}, the source says ${allowed.join(' or ')}`]
    })
    expect(rows.length).toBeGreaterThan(1)
    expect(wrong, 'Bring page and comment together; "none" is right where the comment says "Absent: …".').toEqual([])
  })
})

describe('the optional properties of public options and props', () => {
  it('each say what holds when they are left out', () => {
    const { optionalProperties } = api
    const missing = optionalProperties
      .filter(({ doc }) => doc.whenAbsent.length !== 1 || doc.whenAbsent[0]?.text === '')
      .map(({ name, place }) => `${name} (${place})`)
    const said = optionalProperties.length - missing.length
    const share = ((100 * said) / optionalProperties.length).toFixed(1)
    console.log(
      `Optional properties that say what holds without them: ${said} of ${optionalProperties.length} (${share} %)`,
    )
    expect(optionalProperties.length).toBeGreaterThan(250)
    expect(missing, RULE).toEqual([])
  })

  it('have the default that the code has, where that is a literal or a named constant', () => {
    const defaults = readCodeDefaults(api)
    const wrong = defaults.flatMap(({ property, literal, place }) => {
      const [said] = property.doc.whenAbsent
      if (said?.kind === 'default' && said.text === literal) return []
      return `${property.name} (${property.place}) says ${said?.text ?? 'nothing'}; ${place} takes ${literal}`
    })
    const checked = new Set(defaults.map(({ property }) => property.node)).size
    console.log(`Literal defaults of the code that are compared with what is documented: ${checked}`)
    expect(checked).toBeGreaterThan(50)
    expect(wrong, 'Write the default as the code has it, a number with the same underscores.').toEqual([])
  })
})
