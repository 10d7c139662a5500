'use client'
import katex from 'katex'
import type { ReactNode } from 'react'
import { createElement, memo, useMemo } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { useScrollPlace } from './internals/use-scroll-place.ts'
import { mathSyntax } from '../markdown/math/math-syntax.ts'
import type { MathRenderer, MathRendererProps } from '../markdown/view/markdown-renderers.ts'
import type { MathStrings } from '../strings/diagram-and-math.ts'
import { englishMath } from '../strings/diagram-and-math.ts'
import { usePack } from './dictionary/use-pack.ts'
import type { MathElement, MathNode } from './read-mathml.ts'
import { readMathml } from './read-mathml.ts'

export interface MathOptions {
  /** Commands of your own, by their names with the backslash: `{ '\\R': '\\mathbb{R}' }`. @default {} */
  readonly macros?: Readonly<Record<string, string>> | undefined
  /** Most macros that one formula may expand, so that each one ends. @default 1000 */
  readonly maxExpand?: number | undefined
  /** The largest size that a formula may ask for, in em. @default 20 */
  readonly maxSize?: number | undefined
  /** Most code units of a formula; a longer one is shown as its source. @default 5000 */
  readonly maxLength?: number | undefined
  /** Words of your own. @default those of the language of the dictionary, in English where it has none */
  readonly strings?: MathStrings | undefined
}

/** Longest reason that is told, in characters. */
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
