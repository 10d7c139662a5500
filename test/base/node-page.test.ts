// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import {
  createSizeObserver,
  focusedElement,
  hostsOf,
  isElement,
  isUnfocused,
  rootsOf,
  windowOf,
} from '../../src/base/node-page.ts'

afterEach(() => document.body.replaceChildren())

/** A button in a shadow root in a shadow root. */
function nested(mode: ShadowRootMode) {
  const [outerHost, innerHost, button] = ['div', 'div', 'button'].map((name) => document.createElement(name)) as [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ]
  document.body.append(outerHost)
  const outer = outerHost.attachShadow({ mode })
  outer.append(innerHost)
  const inner = innerHost.attachShadow({ mode })
  inner.append(button)
  return { outerHost, innerHost, outer, inner, button }
}

function framed(): HTMLIFrameElement & { readonly contentDocument: Document } {
  const frame = document.body.appendChild(document.createElement('iframe'))
  // A frame without an address has a document.
  return frame as HTMLIFrameElement & { readonly contentDocument: Document }
}

describe('the page of a node', () => {
  it.each(['open', 'closed'] as const)('finds the roots and the focus in %s shadow roots', (mode) => {
    const { outerHost, innerHost, outer, inner, button } = nested(mode)
    expect(rootsOf(button)).toEqual([inner, outer, document])
    expect(hostsOf(button)).toEqual([button, innerHost, outerHost])
    expect(rootsOf(document.createElement('p')).map((root) => root.nodeName)).toEqual(['P'])
    expect(isUnfocused(button)).toBe(true)
    button.focus()
    expect(focusedElement(button)).toBe(button)
    expect(focusedElement(innerHost)).toBe(innerHost)
    expect(focusedElement(outerHost)).toBe(outerHost)
    expect(focusedElement(document.createElement('p'))).toBeNull()
    expect(isUnfocused(button)).toBe(false)
  })

  it('gives the window of the document that a node is in', () => {
    const { contentDocument, contentWindow } = framed()
    const inside = contentDocument.body.appendChild(contentDocument.createElement('input'))
    expect(windowOf(inside)).toBe(contentWindow)
    expect(inside instanceof Element).toBe(false)
    expect(isElement(inside)).toBe(true)
    expect([null, undefined, {}, contentDocument, contentDocument.createTextNode('a')].filter(isElement)).toEqual([])
    inside.focus()
    expect(focusedElement(inside)).toBe(inside)
    expect(windowOf(new DOMParser().parseFromString('<p>', 'text/html').body)).toBeNull()
  })

  it('watches sizes with the observer of that window, where it has one', () => {
    const { contentDocument, contentWindow } = framed()
    expect(createSizeObserver(contentDocument.body, () => {})).toBeUndefined()
    const made: unknown[] = []
    Object.assign(contentWindow ?? {}, {
      // Called with `new`, it gives the object that it returns.
      ResizeObserver: function FakeObserver(callback: unknown) {
        made.push(callback)
        return {}
      },
    })
    const onResize = (): void => {}
    expect(createSizeObserver(contentDocument.body, onResize)).toBeDefined()
    expect(made).toEqual([onResize])
  })
})
