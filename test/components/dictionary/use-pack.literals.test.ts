import { parseSync, Visitor } from 'rolldown/utils'
import { expect, it } from 'vitest'
import { readTree } from '../../layers/files.ts'

// What a component says is in a dictionary: a word in its code would be English on every page.

const FEWEST_COMPONENTS = 80

const SPOKEN =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|title|placeholder|alt|label|heading|summary)$/

/** Two letters in a row: `·`, `?` and `#` are not words. */
const WORD = /\p{L}{2}/u

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Literals that an expression may be: what both sides of a condition give, and the fixed text of a template. */
function literalsOf(value: unknown): readonly string[] {
  if (!isNode(value)) return []
  switch (value.type) {
    case 'Literal':
      return typeof value['value'] === 'string' ? [value['value']] : []
    case 'TemplateLiteral':
      // The parser gives a template its pieces.
      return (value['quasis'] as readonly { value: { raw: string } }[]).map((piece) => piece.value.raw)
    case 'ConditionalExpression':
      return [...literalsOf(value['consequent']), ...literalsOf(value['alternate'])]
    case 'LogicalExpression':
      return [...literalsOf(value['left']), ...literalsOf(value['right'])]
    case 'BinaryExpression':
      return value['operator'] === '+' ? [...literalsOf(value['left']), ...literalsOf(value['right'])] : []
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
      return literalsOf(value['expression'])
    default:
      return []
  }
}

/** Words that the code of a component shows or speaks. */
function wordsIn(file: string, code: string): readonly string[] {
  const found: string[] = []
  const { program } = parseSync(file, code)
  new Visitor({
    JSXText: ({ value }) => void found.push(value),
    JSXElement: ({ children }) =>
      void found.push(...children.filter(({ type }) => type === 'JSXExpressionContainer').flatMap(literalsOf)),
    JSXFragment: ({ children }) =>
      void found.push(...children.filter(({ type }) => type === 'JSXExpressionContainer').flatMap(literalsOf)),
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && SPOKEN.test(name.name)) found.push(...literalsOf(value))
    },
    Property({ key, value }) {
      const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? key.value : undefined
      if (typeof name === 'string' && SPOKEN.test(name)) found.push(...literalsOf(value))
    },
  }).visit(program)
  return found.filter((text) => WORD.test(text))
}

it('no component has words in its code', () => {
  const files = ['src/components/', 'src/markdown/view/'].flatMap(readTree).filter(({ path }) => path.endsWith('.tsx'))
  expect(files.length).toBeGreaterThan(FEWEST_COMPONENTS)
  const left = files.flatMap(({ path, text }) => wordsIn(path, text).map((word) => `${path}: ${word.trim()}`))
  expect(left, 'Give the string a name in the dictionary, or in the strings of its entry point.').toEqual([])
})

it('would be noticed as text, in an expression, in an attribute and in an object of attributes', () => {
  const code = `
    const A = ({ on }) => <p title="Hint" data-x="no">Text {on ? 'yes' : \`maybe \${on}\`} <b aria-label={on || 'Name'} /></p>
    const attributes = { 'aria-label': 'Given', className: 'cs-part' }
  `
  expect(
    wordsIn('a.tsx', code)
      .map((text) => text.trim())
      .toSorted(),
  ).toEqual(['Given', 'Hint', 'Name', 'Text', 'maybe', 'yes'].toSorted())
})
