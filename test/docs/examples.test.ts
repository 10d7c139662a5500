import { isClassDeclaration, isFunctionDeclaration, isVariableDeclaration, type Node } from 'typescript/unstable/ast'
import { afterAll, describe, expect, it } from 'vitest'
import { readPages, snippetsOf } from './pages.ts'
import { commentOf, placeOf, readPublicApi } from './public-api.ts'
import { readTsDoc } from './tsdoc.ts'

const api = readPublicApi()
afterAll(() => api.close())

/** Hooks, factories, providers, clients, and what makes options of a query. */
const MAIN = /^(?:use|create)[A-Z]|(?:Provider|Client|QueryOptions|Transport|EventLog)$/
const MAIN_TOO = [
  'backoff',
  'capProtocol',
  'faultyServer',
  'manualClock',
  'markdownEngine',
  'parseMarkdown',
  'scriptedAgent',
  'toNodeListener',
]
const ENTRY_POINTS_OF_COMPONENTS = ['capstan/components', 'capstan/markdown']

const main = api.names.flatMap(({ name, entryPoint, declarations }) => {
  const [node] = declarations.filter(isValue)
  const isComponent = ENTRY_POINTS_OF_COMPONENTS.includes(entryPoint) && /^[A-Z](?!.*Context$)/.test(name)
  if (node === undefined || !(isComponent || MAIN.test(name) || MAIN_TOO.includes(name))) return []
  return [{ name, entryPoint, place: placeOf(node), doc: readTsDoc(commentOf(node)) }]
})

function isValue(node: Node): boolean {
  return isFunctionDeclaration(node) || isClassDeclaration(node) || isVariableDeclaration(node)
}

const linesOf = (code: string): string[] => code.split('\n').filter((line) => line.trim() !== '')

describe('the examples in the comments', () => {
  it('are there for every hook, client, factory, provider and component', () => {
    const without = main.filter(({ doc }) => doc.examples.length === 0).map(({ name, place }) => `${name} (${place})`)
    console.log(`Main exports with an example: ${main.length - without.length} of ${main.length}`)
    expect(main.length).toBeGreaterThan(60)
    expect(MAIN_TOO.filter((wanted) => !main.some(({ name }) => name === wanted))).toEqual([])
    expect(without, 'Give each an `@example` of 3 to 10 lines, fenced as ts or tsx.').toEqual([])
  })

  it('have 3 to 10 lines of code, and import what they are about', () => {
    const wrong = main.flatMap(({ name, entryPoint, place, doc }) =>
      doc.examples.flatMap(({ code }) => {
        const count = linesOf(code).length
        const imports = new RegExp(`import [^\\n]*\\b${name}\\b[^\\n]* from '${entryPoint}'`).test(code)
        return count >= 3 && count <= 10 && imports ? [] : [`${name} (${place}): ${count} lines`]
      }),
    )
    expect(wrong).toEqual([])
  })

  // `npm run api` writes them into the reference, and test/docs/snippets.test.ts compiles the code of every page.
  it('are in the reference as code that is compiled', () => {
    const compiled = readPages()
      .filter(({ path }) => path.startsWith('docs/reference/'))
      .flatMap(snippetsOf)
      .filter(({ language }) => language === 'ts' || language === 'tsx')
      .map(({ code }) => code.trim())
    const missing = main.flatMap(({ name, doc }) =>
      doc.examples.filter(({ code }) => !compiled.includes(code.trim())).map(() => name),
    )
    expect(missing, 'npm run build && npm run api').toEqual([])
  })
})
