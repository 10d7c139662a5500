import { version } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openBrowser } from '../../ssr/open-browser.ts'
import { createPage as createMessagePage } from '../../ssr/message-page.tsx'
import { createPage as createServerPage } from '../../ssr/page.tsx'

// Runs in plain Node: the server has no document, and the page gets one only when it comes alive.

const complaint = vi.spyOn(console, 'error')
let closeBrowser = (): void => {}
/** Lets the page have the code of the parts. */
let give = (): void => {}

beforeEach(() => {
  complaint.mockClear()
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  vi.doMock(AT_HAND, () => import('../../../src/components/message/parts-at-hand.browser.ts'))
  vi.doMock('../../../src/components/message/part-components.tsx', async (load) => {
    await given
    return load()
  })
})
afterEach(() => {
  closeBrowser()
  vi.doUnmock(AT_HAND)
  vi.doUnmock('../../../src/components/message/part-components.tsx')
  expect(complaint.mock.calls).toEqual([])
})

const AT_HAND = '../../../src/components/message/parts-at-hand.ts'

const WORDS = ['Reading the gauge', 'https://a.example/rivers', 'One gauge is closed.', 'FUTURE', 'They bend.']

/** A page whose code of parts is on its way: the parts that it shows as the server sent them. */
async function openPage() {
  const html = renderToString(createServerPage())
  for (const words of WORDS) expect(html).toContain(words)
  const { root, hydrate, close } = openBrowser(html)
  closeBrowser = close
  const before = root.innerHTML
  const answer = root.querySelectorAll('article')[1]
  const sent = answer?.innerHTML
  const { atOnce, recovered, leave } = await hydrate()
  expect(atOnce).toBe(before)
  const parts = [...root.querySelectorAll('article .cs-part')].filter((part) => !isAlive(part))
  expect(parts.length).toBeGreaterThan(7)
  // React and its tools are those of the page.
  const { act, fireEvent } = await import('@testing-library/react')
  const comesAlive = async (): Promise<void> => {
    await act(giveCode)
    expect([...root.querySelectorAll('article .cs-part')].filter((part) => !isAlive(part))).toEqual([])
  }
  return { root, answer, sent, recovered, parts, leave, act, fireEvent, comesAlive }
}

describe(`a page rendered on a server, whose code of parts comes late, by React ${version}`, () => {
  it('keeps what the server sent until the code is here, and then brings it to life as it is', async () => {
    const { root, answer, sent, recovered, parts, leave, comesAlive } = await openPage()
    expect(root.querySelectorAll('article')[1]).toBe(answer)
    expect(answer?.innerHTML).toBe(sent)
    await comesAlive()
    expect(recovered).toEqual([])
    expect([...root.querySelectorAll('article .cs-part')].map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(parts.map(({ textContent }) => textContent)),
    )
    await leave()
  })

  it('keeps it while the user continues', async () => {
    const { root, parts, leave, act, fireEvent, comesAlive } = await openPage()
    const regenerate = root.querySelector('button[aria-label="Regenerate"]')
    if (regenerate === null) throw new Error('The last answer cannot be made again.')
    await act(async () => fireEvent.click(regenerate))
    expect(root.textContent).not.toContain('Lakes')
    expect(parts.filter((part) => !root.contains(part))).toEqual([])
    await comesAlive()
    for (const words of WORDS) expect(root.innerHTML).toContain(words)
    await leave()
  })

  it('keeps that of a message in no transcript, and hydrates it', async () => {
    const { root, hydrate, close } = openBrowser(renderToString(createMessagePage()))
    closeBrowser = close
    const { recovered, leave } = await hydrate(() => import('../../ssr/message-page.tsx'))
    const part = root.querySelector('article .cs-part')
    expect(part?.textContent).toContain('One gauge is closed.')
    const { act } = await import('@testing-library/react')
    await act(giveCode)
    expect(root.querySelector('article .cs-part')).toBe(part)
    expect(part && isAlive(part)).toBe(true)
    expect(recovered).toEqual([])
    await leave()
  })
})

async function giveCode(): Promise<void> {
  give()
  const { loadParts } = await import('../../../src/components/message/part-loading.ts')
  await loadParts()
}

/** Whether React has taken an element over. */
function isAlive(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith('__reactProps'))
}
