import { createRoot } from 'react-dom/client'
import { MarkdownBlock, MarkdownProvider } from '../../src/components.ts'
import { createDiagram } from '../../src/diagram.ts'
import { markdownEngine } from '../../src/markdown.ts'
import { Markdown } from '../../src/markdown/view/markdown.tsx'

// A page that shows markdown with diagrams, for a browser. `?frame` has the document of the frame from the server.

export interface DiagramPage {
  /** Shows a text, whole or as far as it has come. */
  show(text: string, live?: boolean): void
  /** What the policy of the page refused. */
  readonly violations: readonly string[]
}

declare global {
  interface Window {
    diagrams: DiagramPage
  }
}

const violations: string[] = []
document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  violations.push(`${violatedDirective} ${blockedURI}`),
)

const query = new URLSearchParams(location.search)
const timeoutMs = Number(query.get('timeout') ?? 60_000)
const code = createDiagram(
  query.has('frame')
    ? { frameUrl: query.get('frame') || '/frame', timeoutMs }
    : { mermaidUrl: '/mermaid.js', timeoutMs },
)
const renderers = { code }
const main = document.createElement('main')
document.body.append(main)
const root = createRoot(main)

window.diagrams = {
  violations,
  show(text, live = false) {
    root.render(
      <MarkdownProvider engine={markdownEngine} renderers={renderers}>
        {live ? <Markdown text={text} live renderers={renderers} /> : <MarkdownBlock content={text} />}
      </MarkdownProvider>,
    )
  },
}
