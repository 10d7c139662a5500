// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { createElement } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Chat, DictionaryProvider, ThreadList } from '../../src/components.ts'
import { german } from '../../src/locales.ts'
import type { Thread } from '../../src/state/thread.ts'
import { englishOnly, spokenIn } from '../components/dictionary/every-string.ts'
import { loadOnDemand } from '../support/load-on-demand.ts'
import { openModelPage } from './ask-agent.ts'
import { responses, streamed } from './rows/chat-wires.ts'
import { FROM_AI_SDK } from './rows/from-ai-sdk-rows.ts'
import { createRowTools } from './rows/row-tools.ts'
import { serveVendor } from './vendor-server.ts'

// In this environment the SDKs of OpenAI and Anthropic refuse to start: they take it for a browser. Their helpers send the same sentences.

afterEach(cleanup)

const THREAD: Thread = {
  id: 't',
  title: '',
  status: 'awaiting-input',
  unread: true,
  createdAt: 1,
  updatedAt: new Date().setHours(10, 56),
}

describe('fromAiSdk on a page in German', () => {
  it('shows an approval, a denied call and a failed one without an English word', async () => {
    await loadOnDemand()
    const server = await serveVendor((ordinal) =>
      streamed(
        responses,
        ordinal === 0
          ? {
              calls: [
                { id: 'call-1', name: 'throws', input: {} },
                { id: 'call-2', name: 'ask_first', input: {} },
              ],
            }
          : { text: ['Fertig.'] },
      ),
    )
    const { tools } = createRowTools(['throws', 'ask_first'])
    const { chat, prompt } = openModelPage<unknown>((run) =>
      FROM_AI_SDK.answer(run, server.origin, tools, { setup: { wire: 'responses' } }),
    )
    render(
      createElement(
        DictionaryProvider,
        { strings: german },
        createElement(ThreadList, { threads: [THREAD], onSelect() {} }),
        createElement(Chat, { chat }),
      ),
    )
    const isEnglish = englishOnly('german')
    const englishTexts = (): string[] => [...spokenIn(document.body)].filter(isEnglish)

    const sent = chat.sendMessage('Los')
    expect(await screen.findAllByText('ask_first erlauben?')).not.toHaveLength(0)
    expect((await screen.findByText('10:56')).isConnected).toBe(true)
    expect(englishTexts()).toEqual([])
    const deny = await screen.findByRole('button', { name: 'Nicht erlauben' })
    // A button that has just appeared takes no click.
    await expect
      .poll(() => {
        fireEvent.click(deny)
        return prompt()?.state
      })
      .not.toBe('open')
    await sent
    expect((await screen.findByText('Fertig.')).isConnected).toBe(true)
    expect(screen.getByText('throws fehlgeschlagen').isConnected).toBe(true)
    expect(screen.getByText('Das Tool ist fehlgeschlagen.').isConnected).toBe(true)
    expect(screen.getByText('ask_first nicht erlaubt').isConnected).toBe(true)
    expect(englishTexts()).toEqual([])
  })
})
