// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ArtifactView } from '../../src/components/artifact-view.tsx'
import { MarkdownProvider } from '../../src/components/markdown-block/markdown-block.tsx'
import './show.tsx'

// jsdom has no popovers: what a browser does with one is done by hand. Real ones are in the stories.
beforeEach(() => {
  HTMLElement.prototype.togglePopover = function (this: HTMLElement) {
    const isOpen = this.toggleAttribute('data-open')
    this.dispatchEvent(Object.assign(new Event('toggle'), { newState: isOpen ? 'open' : 'closed' }))
    return isOpen
  }
  HTMLElement.prototype.hidePopover = function (this: HTMLElement) {
    if (this.hasAttribute('data-open')) this.togglePopover()
  }
})
afterEach(() => {
  Reflect.deleteProperty(HTMLElement.prototype, 'togglePopover')
  Reflect.deleteProperty(HTMLElement.prototype, 'hidePopover')
})

const opened = (): HTMLElement => {
  const dialog = document.querySelector<HTMLElement>('dialog')
  if (dialog === null) throw new Error('There is no panel.')
  return dialog
}
const body = (): string => opened().querySelector('.cs-artifact-body')?.textContent ?? ''
const view = (): void => act(() => screen.getByRole('button', { name: 'View', hidden: true }).click())
const shownWindow = (): string | undefined => document.querySelector('.cs-artifact-window')?.textContent ?? undefined

describe('an artifact with its content', () => {
  it('shows the end of what is being written, and the beginning of what is whole', () => {
    const text = 'start '.concat('x'.repeat(5_000), ' end')
    const { rerender, container } = render(<ArtifactView name="a.md" text={text} state="writing" />)
    expect(shownWindow()?.endsWith(' end')).toBe(true)
    expect(shownWindow()?.startsWith('start')).toBe(false)
    expect(container.querySelector('.cs-caret')).not.toBeNull()
    expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
    rerender(<ArtifactView name="a.md" text={text} />)
    expect(shownWindow()?.startsWith('start')).toBe(true)
    expect(shownWindow()).toHaveLength(4_000)
    expect(container.querySelector('.cs-caret')).toBeNull()
    expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy()
  })

  it('is a card and no more where there is nothing to show', () => {
    render(<ArtifactView name="a.pdf" bytes="AAAA" mimeType="application/pdf" />)
    expect(screen.queryByRole('button', { name: 'View' })).toBeNull()
    expect(document.querySelector('dialog')).toBeNull()
    expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy()
  })

  it('is a link for a web address, and words for any other: nothing is fetched', () => {
    const { rerender } = render(<ArtifactView name="a" url="https://files.example/a.pdf" />)
    expect(screen.getByRole('link').getAttribute('rel')).toBe('noopener noreferrer nofollow')
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,<script>1</script>',
      'blob:https://app.example/1',
      'file:///a',
    ]) {
      rerender(<ArtifactView name="a" url={url} />)
      expect(screen.queryByRole('link'), url).toBeNull()
    }
    expect(document.querySelector('img, iframe, object, embed, video, audio')).toBeNull()
  })

  it('is laid out whole in the panel only when that is open, and says to the button that it is', () => {
    render(<ArtifactView name="notes.txt" mimeType="text/plain" text={'<b>bold</b> [1]'} />)
    const button = screen.getByRole('button', { name: 'View' })
    expect([button.getAttribute('aria-haspopup'), button.getAttribute('aria-expanded')]).toEqual(['dialog', 'false'])
    expect(body()).toBe('')
    view()
    expect(button.getAttribute('aria-expanded')).toBe('true')
    expect(body()).toBe('<b>bold</b> [1]')
    expect(opened().querySelector('b:not(.cs-strong)')).toBeNull()
    expect(opened().getAttribute('aria-label')).toBe('notes.txt')
    act(() => screen.getByRole('button', { name: 'Close', hidden: true }).click())
    expect(button.getAttribute('aria-expanded')).toBe('false')
    expect(body()).toBe('')
  })

  it('is rich text where it is markdown, and runs no HTML in it', () => {
    render(
      <MarkdownProvider>
        <ArtifactView name="a.md" mimeType="text/markdown" text={'# Bends\n\n<img src=x onerror=alert(1)>'} />
      </MarkdownProvider>,
    )
    view()
    expect(opened().querySelector('h1, h2, h3')?.textContent).toBe('Bends')
    expect(opened().querySelector('img')).toBeNull()
  })

  it('shows data as JSON', () => {
    render(<ArtifactView name="data" data={{ depth: [1, 2] }} />)
    expect(shownWindow()).toContain('"depth"')
    view()
    expect(body()).toContain('depth')
  })

  it('lays out 50,000 characters at a time, markdown too', () => {
    render(<ArtifactView name="a.md" mimeType="text/markdown" text={`# ${'a'.repeat(120_000)}`} />)
    view()
    expect(opened().querySelector('pre')?.textContent).toHaveLength(50_000)
    fireEvent.click(screen.getByRole('button', { name: 'Show more', hidden: true }))
    expect(opened().querySelector('pre')?.textContent).toHaveLength(100_000)
  })
})

describe('the versions of an artifact', () => {
  const choices = (): string[] => [...opened().querySelectorAll('option')].map(({ textContent }) => textContent ?? '')
  const choose = (version: number): void => {
    const select = opened().querySelector('select')
    if (select === null) throw new Error('There is no choice.')
    fireEvent.change(select, { target: { value: String(version) } })
  }

  it('that were shown before can be chosen in the panel, and the newest is shown first', () => {
    const { rerender } = render(<ArtifactView name="a" text="Draft" />)
    view()
    expect(opened().querySelector('select')).toBeNull()
    rerender(<ArtifactView name="a" text="Better" version={2} />)
    rerender(<ArtifactView name="a" text="Best" version={3} />)
    expect(choices()).toEqual(['3 (latest)', '2', '1'])
    expect(body()).toBe('Best')
    choose(1)
    expect(body()).toBe('Draft')
    choose(2)
    expect(body()).toBe('Better')
    choose(3)
    expect(body()).toBe('Best')
  })

  it('are not made by text that grows', () => {
    const { rerender } = render(<ArtifactView name="a" text="D" version={2} state="writing" />)
    rerender(<ArtifactView name="a" text="Dr" version={2} state="writing" />)
    rerender(<ArtifactView name="a" text="Draft" version={2} />)
    view()
    expect(opened().querySelector('select')).toBeNull()
  })

  it('are those that are given, beside those that were shown', () => {
    const versions = [
      { version: 1, text: 'Given' },
      { version: 3, text: 'Not the newest' },
    ]
    render(<ArtifactView name="a" text="Now" version={3} versions={versions} />)
    view()
    expect(choices()).toEqual(['3 (latest)', '1'])
    choose(1)
    expect(body()).toBe('Given')
    choose(3)
    expect(body()).toBe('Now')
  })

  it('that can no longer be chosen leave the newest', () => {
    const { rerender } = render(<ArtifactView name="a" text="1" version={1} />)
    view()
    for (let version = 2; version <= 25; version++)
      rerender(<ArtifactView name="a" text={`${version}`} version={version} />)
    expect(choices()).toHaveLength(21)
    choose(5)
    expect(body()).toBe('5')
    for (let version = 26; version <= 30; version++)
      rerender(<ArtifactView name="a" text={`${version}`} version={version} />)
    expect(body()).toBe('30')
  })
})
