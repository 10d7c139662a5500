'use client'

import katex from 'katex'
import { type ReactNode, createElement, memo, useMemo } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { useScrollPlace } from './internals/use-scroll-place.ts'
import { mathSyntax } from '../markdown/math-syntax.ts'
import type { MathRenderer, MathRendererProps } from '../markdown/view/markdown-props.ts'
import { type MathStrings, englishMath } from '../strings/diagram-and-math.ts'
import { usePack } from './dictionary/use-pack.ts'
import type { PartAttributes } from './internals/part.ts'

export interface MathOptions {
  /** Your own commands, by their names with the backslash: `{ '\\R': '\\mathbb{R}' }`. @default {} */
  readonly macros?: Readonly<Record<string, string>> | undefined
  /** Most macros that one formula may expand, so that each one ends. @default 1000 */
  readonly maxExpand?: number | undefined
  /** The largest size that a formula may ask for, in em. @default 20 */
  readonly maxSize?: number | undefined
  /** Most code units of a formula; a longer one is shown as its source. @default 5000 */
  readonly maxLength?: number | undefined
  /** Your own words. @default those of the language of the dictionary, in English where it has none */
  readonly strings?: MathStrings | undefined
}

/** Longest reason that is shown, in characters. */
const LONGEST_REASON = 200

const asElement = (node: MathNode, key: number): ReactNode =>
  typeof node === 'string'
    ? capMarks(node)
    : createElement(node.name, { ...node.attributes, key }, ...node.children.map(asElement))

/**
 * Makes the component for formulas of a `MarkdownProvider`, with the marks that agents use: `$…$`, `$$…$$`, `\(…\)`, `\[…\]` and
 * fences with the language `math`. Make it once, outside of components. It needs `katex` and the sheet `capstan/math.css`.
 *
 * A formula is MathML, which browsers lay out and screen readers read: no style, class, link, picture or colour of it gets to the
 * page. While its end has not come, and where KaTeX cannot read it, its source is shown. Copied text has the source.
 *
 * @example
 * ```tsx
 * import { Chat, MarkdownProvider } from 'capstan/components'
 * import { createMath } from 'capstan/math'
 * import 'capstan/math.css'
 *
 * const renderers = { math: createMath() }
 * export const App = () => <MarkdownProvider renderers={renderers}><Chat /></MarkdownProvider>
 * ```
 */
export function createMath({
  macros = {},
  maxExpand = 1000,
  maxSize = 20,
  maxLength = 5000,
  strings,
}: MathOptions = {}): MathRenderer {
  /** A formula, or why KaTeX cannot read it: empty where it does not say. */
  function read(text: string, display: boolean): MathElement | string {
    if (text.length > maxLength) return ''
    try {
      return readMathml(
        katex.renderToString(text, {
          output: 'mathml',
          displayMode: display,
          throwOnError: true,
          trust: false,
          strict: 'ignore',
          // KaTeX writes what a formula defines into the object.
          macros: { ...macros },
          maxExpand,
          maxSize,
        }),
      )
    } catch (error) {
      return error instanceof katex.ParseError ? Array.from(error.rawMessage).slice(0, LONGEST_REASON).join('') : ''
    }
  }

  const FormulaView = memo(function FormulaView({ text, display }: MathRendererProps): ReactNode {
    const words = usePack('math', englishMath, strings)
    const element = useMemo(() => read(text, display), [text, display])
    const [frame, place] = useScrollPlace<HTMLSpanElement>(true)
    if (typeof element === 'string') {
      const isTooLong = text.length > maxLength
      return (
        <span
          className="cs-math"
          data-display={display ? '' : undefined}
          data-failed=""
          role="group"
          aria-label={words?.failed}
        >
          <code dir="ltr" translate="no">
            {capMarks(text)}
          </code>
          {(isTooLong || element !== '') && (
            // What KaTeX says is English.
            <span className="cs-hidden" lang={isTooLong ? undefined : 'en'}>
              {` ${isTooLong ? (words?.tooLong ?? '') : capMarks(element)}`}
            </span>
          )}
        </span>
      )
    }
    const mark = display ? '$$' : '$'
    return (
      <span
        // In a line nothing scrolls.
        ref={display ? frame : undefined}
        className="cs-math"
        data-display={display ? '' : undefined}
        dir="ltr"
        translate="no"
        {...(display && { role: 'group', 'aria-label': words?.formula })}
        // A frame that scrolls must be within reach of the keyboard.
        tabIndex={place === 'none' ? undefined : 0}
      >
        {asElement(element, 0)}
        <span className="cs-math-source" aria-hidden="true">
          {mark + text + mark}
        </span>
      </span>
    )
  })
  return Object.assign(FormulaView, { syntax: mathSyntax })
}

/**
 * Where the letters of a `mathvariant` begin in Unicode: `A`, `a`, `0`, `Α`, `α`; 0 where it has none. Browsers know no other variant
 * than `normal`.
 */
const VARIANTS: Readonly<Record<string, readonly number[]>> = {
  bold: [0x1d400, 0x1d41a, 0x1d7ce, 0x1d6a8, 0x1d6c2],
  italic: [0x1d434, 0x1d44e, 0, 0x1d6e2, 0x1d6fc],
  'bold-italic': [0x1d468, 0x1d482, 0, 0x1d71c, 0x1d736],
  script: [0x1d49c, 0x1d4b6],
  'bold-script': [0x1d4d0, 0x1d4ea],
  fraktur: [0x1d504, 0x1d51e],
  'bold-fraktur': [0x1d56c, 0x1d586],
  'double-struck': [0x1d538, 0x1d552, 0x1d7d8],
  'sans-serif': [0x1d5a0, 0x1d5ba, 0x1d7e2],
  'bold-sans-serif': [0x1d5d4, 0x1d5ee, 0x1d7ec],
  'sans-serif-italic': [0x1d608, 0x1d622],
  monospace: [0x1d670, 0x1d68a, 0x1d7f6],
}

/** Letters that Unicode had before it had the others. */
const OLDER: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  italic: { h: 'ℎ' },
  script: { B: 'ℬ', E: 'ℰ', F: 'ℱ', H: 'ℋ', I: 'ℐ', L: 'ℒ', M: 'ℳ', R: 'ℛ', e: 'ℯ', g: 'ℊ', o: 'ℴ' },
  fraktur: { C: 'ℭ', H: 'ℌ', I: 'ℑ', R: 'ℜ', Z: 'ℨ' },
  'double-struck': { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' },
}

const RANGES = [/[A-Z]/, /[a-z]/, /\d/, /[Α-Ω]/, /[α-ω]/] as const

const FIRST = Array.from('Aa0Αα', (letter) => letter.charCodeAt(0))

/** A text in the letters of its variant. */
function mathLetters(text: string, variant: string): string {
  const bases = VARIANTS[variant]
  if (bases === undefined) return text
  return Array.from(text, (letter) => {
    const older = OLDER[variant]?.[letter]
    const range = RANGES.findIndex((letters) => letters.test(letter))
    const base = bases[range] ?? 0
    return older ?? (base === 0 ? letter : String.fromCodePoint(base + letter.charCodeAt(0) - (FIRST[range] ?? 0)))
  }).join('')
}

/** An element of a formula, or its text. */
type MathNode = string | MathElement

interface MathElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly MathNode[]
}

/** The allowed MathML elements: no links, images or HTML. */
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

/** The `data-*` attributes of what `createMath` makes. */
export const mathAttributes = {
  root: {
    selector: '.cs-math',
    attributes: {
      'data-display': { values: 'present', meaning: 'On a line of its own' },
      'data-failed': { values: 'present', meaning: 'It could not be shown: what is here is its source' },
    },
  },
  'cells of formulas': {
    selector: '.cs-math mtd',
    internal: true,
    attributes: {
      'data-align': { values: ['left', 'right'], meaning: 'How the column is aligned' },
      'data-close': { values: 'present', meaning: 'Without space between it and the next column' },
    },
  },
} as const satisfies PartAttributes
