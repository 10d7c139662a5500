import { beforeEach, describe, expect, it } from 'vitest'
import type { ChatInput } from '../../src/seam/chat-input.ts'
import { failure } from '../support/scripted-peer.ts'
import { CONVERSATION, createFakeBrowser, rest, type FakeBrowser, type FakeTab } from './fake-tabs.ts'

let browser: FakeBrowser
let inputs: ChatInput[]

beforeEach(() => {
  inputs = []
  const createRequest = (input: ChatInput): string => {
    inputs.push(input)
    return input.text
  }
  browser = createFakeBrowser({ client: { createRequest } })
})

const sent = (): unknown[] => inputs.map(({ metadata }) => metadata)

async function openTab(): Promise<FakeTab> {
  const tab = browser.openTab()
  void tab.chat.resume()
  await rest()
  return tab
}

async function begin(action: Promise<unknown>): Promise<void> {
  void action
  await rest()
}

async function answer(): Promise<void> {
  browser.peer.connection.say(1, 'Because.')
  browser.peer.connection.close(2)
  await rest()
}

const SMALL = { metadata: { model: 'small' } }
const LARGE = { metadata: { model: 'large' } }

describe('metadata of one request, after a reload', () => {
  it('is in the request of the answer that is generated again, under its id', async () => {
    const first = await openTab()
    await begin(first.chat.sendMessage('Why?', SMALL))
    await answer()
    await begin(first.chat.regenerate(undefined, LARGE))
    first.crash()
    await openTab()
    expect(inputs[2]).toMatchObject({ ...LARGE, isRegeneration: true, text: 'Why?' })
    expect(inputs[2]?.requestId).toBe(inputs[1]?.requestId)
  })

  it('is in the request of a queued message', async () => {
    const first = await openTab()
    await begin(first.chat.sendMessage('One?'))
    await begin(first.chat.sendMessage('Two?', { whenBusy: 'queue', ...LARGE }))
    await first.close()
    await openTab()
    await answer()
    expect(sent()).toEqual([undefined, undefined, { model: 'large' }])
  })

  it('is in the request of retry, of an answer that failed and of a message that was not sent', async () => {
    const first = await openTab()
    await begin(first.chat.sendMessage('Why?'))
    await answer()
    await begin(first.chat.regenerate(undefined, LARGE))
    browser.peer.connection.say(1, 'Half')
    browser.peer.connection.fail(failure({ kind: 'runtime', code: 'agent_error', severity: 'FATAL' }))
    await rest()
    await first.close()
    const second = await openTab()
    await begin(second.chat.retry())
    expect(sent()[2]).toEqual({ model: 'large' })
    await answer()
    await begin(second.chat.sendMessage('And?', SMALL))
    browser.peer.connection.fail(failure({ kind: 'runtime', code: 'http_error', status: 400, severity: 'FATAL' }))
    await rest()
    await second.close()
    const third = await openTab()
    await begin(third.chat.retry())
    expect(sent().slice(3)).toEqual([{ model: 'small' }, { model: 'small' }])
  })

  it('is absent from the request of an answer that was stored without it', async () => {
    const first = await openTab()
    await begin(first.chat.sendMessage('Why?', SMALL))
    await answer()
    await begin(first.chat.regenerate())
    first.crash()
    // As versions before have written it.
    for (const [id, message] of browser.disk.records.get(CONVERSATION)?.messages ?? []) {
      if (message.role === 'assistant') Reflect.deleteProperty(message, 'metadata')
      expect(id).toBe(message.id)
    }
    await openTab()
    expect(sent()).toEqual([{ model: 'small' }, { model: 'small' }, { model: 'small' }])
  })
})

describe('metadata of one request, in a tab that does not lead', () => {
  it('reaches the tab that does', async () => {
    await openTab()
    const other = await openTab()
    await begin(other.chat.sendMessage({ text: 'Why?', metadata: { place: 'river' } }, SMALL))
    await answer()
    await begin(other.chat.regenerate(undefined, LARGE))
    await answer()
    expect(sent()).toEqual([
      { place: 'river', model: 'small' },
      { place: 'river', model: 'large' },
    ])
    expect(other.chat.getSnapshot().messages.map(({ metadata }) => metadata)).toEqual(sent())
  })

  it('is left out where it is not JSON, as that of a message', async () => {
    await openTab()
    const other = await openTab()
    await begin(other.chat.sendMessage('Why?', { metadata: { at: () => 0, model: 'small' } }))
    expect(sent()).toEqual([{ model: 'small' }])
  })
})
