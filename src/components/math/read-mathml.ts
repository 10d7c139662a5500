import { mathLetters } from './math-letters.ts'

/** An element of a formula, or its text. */
export type MathNode = string | MathElement

export interface MathElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly MathNode[]
}

/** Nothing else of MathML gets to the page: no link, no picture, no HTML. */
const ELEMENTS = new Set(
  'math semantics annotation mrow mi mn mo mtext ms mspace msup msub msubsup munder mover munderover mmultiscripts mprescripts none mfrac msqrt mroot mtable mtr mlabeledtr mtd mstyle mpadded mphantom menclose'.split(
    ' ',
  ),
)

/** Attributes with what they may say. Colours, classes, styles and addresses are left out. */
const WORD = /^[a-z -]{1,40}$/
const FLAG = /^(?:true|false)$/
const LENGTH = /^[+-]?(\d*\.?\d+)(?:em|ex|px|pt|mu|%)?$/
const LENGTHS = /^(?:\d*\.?\d+(?:em|ex|px|pt)? ?){1,40}$/
const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  display: /^block$/,
  displaystyle: FLAG,
  scriptlevel: /^[+-]?\d$/,
  encoding: /^application\/x-tex$/,
  mathvariant: /^normal$/,
  notation: WORD,
  columnalign: WORD,
  columnlines: WORD,
  rowlines: WORD,
  columnspacing: LENGTHS,
  rowspacing: LENGTHS,
  form: WORD,
  fence: FLAG,
  separator: FLAG,
  stretchy: FLAG,
  symmetric: FLAG,
  largeop: FLAG,
  movablelimits: FLAG,
  accent: FLAG,
  accentunder: FLAG,
  linethickness: LENGTH,
  lspace: LENGTH,
  rspace: LENGTH,
  minsize: LENGTH,
  maxsize: LENGTH,
  width: LENGTH,
  height: LENGTH,
  depth: LENGTH,
  voffset: LENGTH,
}

/** Sizes above are dropped, in the units they are written in: nothing is moved out of its place by more than some lines. */
const LARGEST = 100
const DEEPEST = 200

const TOKEN = /<(\/?)([a-z]+)((?: [a-z]+="[^"<>]*")*)(\/?)>|([^<>]+)/gy
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#x27': "'",
  nbsp: '\u00A0',
}

function decode(text: string): string {
  return text.replace(/&([^&;]*);?/g, (_, name: string) => {
    const char = ENTITIES[name]
    if (char === undefined) throw new Error(`MathML has an unknown entity: ${name}.`)
    return char
  })
}

function isAllowed(name: string, value: string): boolean {
  const pattern = ATTRIBUTES[name]
  if (pattern?.test(value) !== true) return false
  return pattern !== LENGTH || Number(LENGTH.exec(value)?.[1]) <= LARGEST
}

interface Open extends MathElement {
  readonly attributes: Record<string, string>
  readonly children: MathNode[]
  readonly variant: string | undefined
}

function openElement(name: string, written: string, parent: Open | undefined): Open {
  if (!ELEMENTS.has(name)) throw new Error(`MathML has an unknown element: ${name}.`)
  const attributes: Record<string, string> = {}
  let variant: string | undefined
  for (const [, key = '', raw = ''] of written.matchAll(ATTRIBUTE)) {
    const value = decode(raw)
    if (key === 'mathvariant' && value !== 'normal') variant = value
    // The width of a table is that of the frame, which no browser knows while it lays out a formula.
    else if (isAllowed(key, value) && !(key === 'width' && /^mt(?:able|d)$/.test(name))) attributes[key] = value
  }
  // No browser aligns columns by the attribute of the table.
  if (name === 'mtr' || name === 'mtd') copyFromParent(name, attributes, parent)
  return { name, attributes, children: [], variant }
}

function copyFromParent(name: string, attributes: Record<string, string>, parent: Open | undefined): void {
  const { columnalign, columnspacing } = parent?.attributes ?? {}
  if (name === 'mtr') {
    if (columnalign !== undefined) attributes['columnalign'] = columnalign
    if (columnspacing !== undefined) attributes['columnspacing'] = columnspacing
    return
  }
  const column = parent?.children.length ?? 0
  const align = columnalign?.split(' ')[column]
  if (align === 'left' || align === 'right') attributes['data-align'] = align
  const spacing = columnspacing?.split(' ')
  if (spacing?.[column] === '0em' || (column > 0 && spacing?.[column - 1] === '0em')) attributes['data-close'] = ''
}

/**
 * Reads the MathML that KaTeX writes, and nothing else: what is not on the list throws, or is left out where it is an
 * attribute.
 *
 * @throws {Error} It is not what KaTeX writes, holds an element that is not on the list, or more than 200 in each other.
 */
export function readMathml(markup: string): MathElement {
  const start = markup.indexOf('<math')
  const end = markup.lastIndexOf('</math>')
  const stack: Open[] = []
  TOKEN.lastIndex = Math.max(start, 0)
  const text = markup.slice(0, end + '</math>'.length).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', '')
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [, closing, name, attributes = '', alone, words] = token
    const top = stack.at(-1)
    if (words !== undefined) top?.children.push(mathLetters(decode(words), top.variant ?? ''))
    else if (closing === '') {
      const element = openElement(name ?? '', attributes, top)
      top?.children.push(element)
      if (alone === '' && stack.push(element) > DEEPEST) throw new Error('MathML is too deep.')
    } else {
      if (top?.name !== name) throw new Error('MathML is not closed.')
      stack.pop()
      if (stack.length === 0) {
        if (top !== undefined && TOKEN.lastIndex === text.length) return top
        break
      }
    }
  }
  throw new Error('MathML could not be read.')
}
