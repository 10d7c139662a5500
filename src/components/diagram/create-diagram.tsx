'use client'
import type { ComponentType, ReactNode } from 'react'
import type { CodeRendererProps } from '../../markdown/view/markdown-renderers.ts'
import { linesWithoutMarks, placesIn, showsMarks, withMarks } from '../../markdown/view/places.tsx'
import { CodeBlock } from '../markdown-block/code-block.tsx'
import type { DiagramStrings } from '../../strings/diagram-and-math.ts'
import { englishDiagram } from '../../strings/diagram-and-math.ts'
import { usePack } from '../dictionary/use-pack.ts'
import { DiagramView } from './diagram-view.tsx'

export interface DiagramOptions {
  /**
   * Where the app serves `dist/mermaid.min.js` of the package `mermaid`. The document of the frame is then a part of the page, whose
   * Content-Security-Policy holds in it: a page that has one needs `frameUrl`. Absent: `frameUrl` is needed.
   */
  readonly mermaidUrl?: string | undefined
  /** Where the app serves what `diagramFrame` of `capstan/diagram` gives. Absent: `mermaidUrl` is needed. */
  readonly frameUrl?: string | undefined
  /** What shows all other code. @default capstan's block */
  readonly code?: ComponentType<CodeRendererProps> | undefined
  /** How long the frame may take to load, and to draw, in milliseconds. Then the source is shown. @default 15_000 */
  readonly timeoutMs?: number | undefined
  /** Most code units of a diagram; a longer one is shown as its source. @default 20_000 */
  readonly maxLength?: number | undefined
  /** Words of your own. @default those of the language of the dictionary, in English where it has none */
  readonly strings?: DiagramStrings | undefined
}

/**
 * Makes the component for code of a `MarkdownProvider` that draws fences with the language `mermaid`, each in a frame without an origin:
 * whatever the agent wrote, it reaches neither the page nor the network. Make it once, outside of components. It needs the package
 * `mermaid`, served by the app, and the sheet `capstan/diagram.css`.
 *
 * While the source grows, the last picture that could be drawn stays. A button shows the source, another copies it. A diagram that
 * cannot be drawn is its source, with a note.
 *
 * @throws {Error} Both addresses are given, or none.
 * @example
 * ```tsx
 * import { Chat, MarkdownProvider } from 'capstan/components'
 * import { createDiagram } from 'capstan/diagram'
 * import 'capstan/diagram.css'
 *
 * const renderers = { code: createDiagram({ mermaidUrl: '/mermaid.min.js' }) }
 * export const App = () => <MarkdownProvider renderers={renderers}><Chat /></MarkdownProvider>
 * ```
 */
export function createDiagram({
  mermaidUrl,
  frameUrl,
  code: OtherCode = CodeBlock,
  timeoutMs = 15_000,
  maxLength = 20_000,
  strings,
}: DiagramOptions): ComponentType<CodeRendererProps> {
  if ((mermaidUrl === undefined) === (frameUrl === undefined))
    throw new Error('createDiagram needs either mermaidUrl or frameUrl: docs/components.md says when to use which.')

  function Diagram(props: CodeRendererProps): ReactNode {
    const shown = usePack('diagram', englishDiagram, strings)
    const isDiagram = props.language === 'mermaid' && shown !== undefined
    if (!isDiagram && showsMarks.has(OtherCode)) return <OtherCode {...props} />
    const { lines } = props
    const plain = { ...props, lines: linesWithoutMarks(lines) }
    return (
      <>
        {isDiagram ? (
          <DiagramView
            {...plain}
            mermaidUrl={mermaidUrl}
            frameUrl={frameUrl}
            timeoutMs={timeoutMs}
            maxLength={maxLength}
            strings={shown}
          />
        ) : (
          <OtherCode {...plain} />
        )}
        {withMarks(placesIn(lines))}
      </>
    )
  }
  showsMarks.add(Diagram)
  return Diagram
}
