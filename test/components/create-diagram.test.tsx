// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDiagram } from '../../src/components/create-diagram.tsx'
import { DictionaryProvider } from '../../src/components/dictionary/dictionary-context.tsx'
import { german } from '../../src/strings/german.ts'
import { Markdown } from '../../src/markdown/view/markdown.tsx'
import type { CodeRendererProps } from '../../src/markdown.ts'
import './show.tsx'

const TEXT = '```mermaid\nflowchart TD\n  a --> b\n```\n'
const RENDERERS = { code: createDiagram({ mermaidUrl: '/mermaid.js' }) }

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => new EventTarget())
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  )
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      private readonly tell: (entries: { isIntersecting: boolean }[]) => void
      constructor(tell: (entries: { isIntersecting: boolean }[]) => void) {
        this.tell = tell
      }
      observe(): void {
        this.tell([{ isIntersecting: true }])
      }
      disconnect(): void {}
    },
  )
})

afterEach(() => vi.unstubAllGlobals())

describe('createDiagram', () => {
  it('wants one address', () => {
    expect(() => createDiagram({})).toThrow(/either mermaidUrl or frameUrl/)
    expect(() => createDiagram({ mermaidUrl: '/a', frameUrl: '/b' })).toThrow(/either mermaidUrl or frameUrl/)
  })

  it('shows the source until a picture is drawn, in a frame that may do nothing but run its scripts', () => {
    const { container } = render(<Markdown text={TEXT} renderers={RENDERERS} />)
    const root = screen.getByRole('group', { name: 'mermaid' })
    expect(root.dataset['state']).toBe('source')
    expect(container.querySelector('pre')?.textContent).toBe('flowchart TD\n  a --> b')
    const frame = container.querySelector('iframe')
    expect(frame?.getAttribute('sandbox')).toBe('allow-scripts')
    expect(frame?.getAttribute('referrerpolicy')).toBe('no-referrer')
    expect(frame?.title).toBe('Diagram')
    expect(frame?.srcdoc).toContain('<script src="http://localhost:3000/mermaid.js">')
    expect(frame?.srcdoc).not.toContain('a --> b')
    expect(container.querySelector('[style]')).toBeNull()
  })

  it('has the document of the frame from the server when it is there', () => {
    const renderers = { code: createDiagram({ frameUrl: '/frame' }) }
    const { container } = render(<Markdown text={TEXT} renderers={renderers} />)
    expect(container.querySelector('iframe')?.getAttribute('src')).toBe('/frame')
    expect(container.querySelector('iframe')?.hasAttribute('srcdoc')).toBe(false)
  })

  it('shows the source where there is no browser around it', () => {
    vi.unstubAllGlobals()
    const { container } = render(<Markdown text={TEXT} renderers={RENDERERS} />)
    expect(container.querySelector('pre')?.textContent).toBe('flowchart TD\n  a --> b')
    expect(container.querySelector('iframe')).toBeNull()
  })

  it('has no frame on the server, and hydrates', () => {
    const container = document.createElement('div')
    container.innerHTML = renderToString(<Markdown text={TEXT} renderers={RENDERERS} />)
    expect(container.querySelector('iframe')).toBeNull()
    expect(container.querySelector('pre')?.textContent).toBe('flowchart TD\n  a --> b')
    render(<Markdown text={TEXT} renderers={RENDERERS} />, { container, hydrate: true })
    expect(container.querySelector('iframe')).not.toBeNull()
  })

  it('leaves all other code to the component for code', () => {
    const Own = ({ language }: CodeRendererProps): React.JSX.Element => <b>{language}</b>
    const renderers = { code: createDiagram({ mermaidUrl: '/mermaid.js', code: Own }) }
    const { container } = render(<Markdown text={'```js\na\n```\n'} renderers={renderers} />)
    expect(container.querySelector('b')?.textContent).toBe('js')
    expect(container.querySelector('iframe, .cs-diagram')).toBeNull()
    const { container: plain } = render(<Markdown text={'```js\na\n```\n'} renderers={RENDERERS} />)
    expect(plain.querySelector('.cs-code')?.textContent).toContain('a')
  })

  it('does not draw what is too long, and says so in the language around', async () => {
    const renderers = { code: createDiagram({ mermaidUrl: '/mermaid.js', maxLength: 10 }) }
    const { container } = render(
      <DictionaryProvider strings={german}>
        <Markdown text={TEXT} renderers={renderers} />
      </DictionaryProvider>,
    )
    await vi.waitFor(() => expect(container.querySelector('.cs-diagram')?.getAttribute('data-state')).toBe('failed'))
    expect(container.querySelector('.cs-diagram-note')?.textContent).toContain('konnte nicht gezeichnet werden')
    expect(container.querySelector('iframe')).toBeNull()
  })
})
