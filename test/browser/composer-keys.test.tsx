import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { Chat } from '../../src/components/chat.tsx'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import type { Script } from '../../src/testing/scripted-agent.ts'
import { scriptedAgent, silence, status } from '../../src/testing/scripted-agent.ts'

const copied: string[] = []

beforeEach(async () => {
  await page.viewport(1280, 800)
  copied.length = 0
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (words) => void copied.push(words))
  // An answer is copied as HTML as well.
  vi.spyOn(navigator.clipboard, 'write').mockImplementation(async (items) => {
    for (const item of items) copied.push(await (await item.getType('text/plain')).text())
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function showChat(script: (question: string, ordinal: number) => Script): Promise<void> {
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    fetch: scriptedAgent(script).fetch,
    maxRetries: 0,
    environment: { random: () => 0 },
  })
  await render(
    <AgentProvider client={client}>
      <div ref={(element) => element?.style.setProperty('height', '600px')}>
        <Chat title="Rivers" suggestions={['Why do rivers meander?']} />
      </div>
    </AgentProvider>,
  )
}

const focused = (): string =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''
/** Tab, or Shift and Tab, until the keyboard is there. */
async function goTo(name: string, keys = '{Tab}'): Promise<void> {
  for (let stop = 0; focused() !== name; stop += 1) {
    if (stop > 20) throw new Error(`The keyboard does not reach ${name}; it is on ${focused()}.`)
    await userEvent.keyboard(keys)
  }
}
const back = (name: string): Promise<void> => goTo(name, '{Shift>}{Tab}{/Shift}')
async function said(words: string): Promise<void> {
  await expect.element(page.getByText(words, { exact: true }).first()).toBeVisible()
}

describe('a user with a keyboard and nothing else', () => {
  it('asks, stops, copies, asks again, and edits a question, from the first Tab on', async () => {
    await showChat((question, ordinal) => (ordinal === 0 ? ['Half of an answer', silence()] : [`To: ${question}`]))
    await userEvent.keyboard('{Tab}')
    await goTo('Message')
    await userEvent.keyboard('Why?{Enter}')
    await said('Half of an answer')
    expect(focused()).toBe('Message')
    await userEvent.keyboard('{Escape}')
    await said('Stopped')
    expect(focused()).toBe('Message')

    await back('Copy')
    await userEvent.keyboard('{Enter}')
    // The clipboard is written to asynchronously.
    await expect.poll(() => copied).toEqual(['Half of an answer'])
    await back('Regenerate')
    await userEvent.keyboard('{Enter}')
    await said('To: Why?')

    await goTo('Message')
    await userEvent.keyboard('{ArrowUp}')
    expect(focused()).toBe('Edit message')
    await userEvent.keyboard(' And when?{Enter}')
    await said('To: Why? And when?')
    expect(page.getByText('Half of an answer').elements()).toEqual([])
    expect(focused()).toBe('Message')
  })

  it('lets a question wait, takes it back, and sends it after a stop', async () => {
    await showChat((question, ordinal) => (ordinal === 0 ? ['Half of an answer', silence()] : [`To: ${question}`]))
    await goTo('Why do rivers meander?')
    await userEvent.keyboard('{Enter}')
    await said('Half of an answer')
    expect(focused()).toBe('Message')
    await userEvent.keyboard('And lakes?{Enter}')
    await said('Queued')
    await userEvent.keyboard('{ArrowUp} And seas?{Enter}')
    await said('And lakes? And seas?')
    await userEvent.keyboard('{Escape}')
    await said('Stopped')
    await back('Send now')
    await userEvent.keyboard('{Enter}')
    await said('To: And lakes? And seas?')
    expect(focused()).toBe('Message')
  })

  it('sends again what did not go out', async () => {
    await showChat((question) => [status(503), `To: ${question}`])
    await goTo('Message')
    await userEvent.keyboard('Why?{Enter}')
    await said('Not sent')
    expect(focused()).toBe('Message')
    await back('Retry')
    await userEvent.keyboard('{Enter}')
    await said('To: Why?')
    expect(focused()).toBe('You')
  })
})

describe('Arrow up in the empty box', () => {
  const place = (): readonly [string, string, number] => {
    const box = document.activeElement as HTMLTextAreaElement
    return [focused(), box.value, box.selectionStart]
  }

  it('opens the last message with the caret at its end, however many lines it has', async () => {
    await showChat((question) => [`To: ${question}`])
    await goTo('Message')
    await userEvent.keyboard('Why{Shift>}{Enter}{/Shift}do they?{Enter}')
    await said('To: Why do they?')
    await userEvent.keyboard('{ArrowUp}')
    expect(place()).toEqual(['Edit message', 'Why\ndo they?', 12])
    await userEvent.keyboard('{Escape}{ArrowUp}')
    expect(place()).toEqual(['Edit message', 'Why\ndo they?', 12])
  })

  it('brings back what could not go out with the caret at its end, where it is longer than typing takes, too', async () => {
    await showChat((question) => [status(503), `To: ${question}`])
    const long = 'line\n'.repeat(80).trim()
    await page.getByRole('textbox').fill(long)
    await userEvent.keyboard('{Enter}')
    await said('Not sent')
    await userEvent.keyboard('{ArrowUp}')
    expect(place()).toEqual(['Message', long, long.length])
  })

  it('goes back to the version that is being written, with every word of it', async () => {
    await showChat((question) => [`To: ${question}`])
    await goTo('Message')
    await userEvent.keyboard('Why?{Enter}')
    await said('To: Why?')
    await userEvent.keyboard('{ArrowUp} And when?')
    await userEvent.click(page.getByRole('textbox', { name: 'Message', exact: true }))
    await userEvent.keyboard('{ArrowUp}')
    expect(place()).toEqual(['Edit message', 'Why? And when?', 14])
  })
})

describe('messages that wait, with an agent', () => {
  it('go out one after the other, each when the answer before it is complete, and nothing is lost on the way', async () => {
    let finish = (): void => {}
    const first = new Promise<void>((resolve) => {
      finish = resolve
    })
    const agent = scriptedAgent((question) => [`To: ${question}`])
    const client = new CapClient({
      baseUrl: 'https://agent.test',
      fetch: async (input, init) => {
        await first
        return agent.fetch(input, init)
      },
    })
    await render(
      <AgentProvider client={client}>
        <Chat />
      </AgentProvider>,
    )
    await userEvent.click(page.getByRole('textbox'))
    await userEvent.keyboard('One{Enter}Two{Enter}Three{Enter}')
    expect(page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem').elements()).toHaveLength(2)
    finish()
    await said('To: Three')
    const articles = page
      .getByRole('article')
      .elements()
      .map((article) => article.querySelector('.cs-text, .cs-md')?.textContent)
    expect(articles).toEqual(['One', 'To: One', 'Two', 'To: Two', 'Three', 'To: Three'])
    expect(page.getByRole('list', { name: 'Queued messages' }).elements()).toEqual([])
  })
})
