import type { Prompt } from '../../src/seam/prompt.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { createScriptedPeer, failure, textDelivery } from '../support/scripted-peer.ts'
import type { FakeBrowser, FakeTab } from './fake-tabs.ts'
import { CONVERSATION, createFakeBrowser, rest } from './fake-tabs.ts'

let browser: FakeBrowser

beforeEach(() => {
  browser = createFakeBrowser()
})

async function openTab(): Promise<FakeTab> {
  const tab = browser.openTab()
  void tab.chat.resume()
  await rest()
  return tab
}

describe('a page that is reloaded in the middle of an answer', () => {
  it('continues with the same run after the last packet, and doubles nothing', async () => {
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'Be')
    browser.peer.connection.say(2, 'cause')
    await rest()
    const { requestId } = browser.peer.connection.opening
    await first.close()

    const second = await openTab()
    expect(second.shown()).toEqual(['user sent: Why?', 'assistant streaming: Because'])
    expect(browser.peer.connection.opening).toMatchObject({
      requestId,
      request: 'Why?',
      cursors: [{ streamId: 's1', seq: 2 }],
      handle: { lastEventId: 's1' },
    })
    browser.peer.connection.say(2, 'cause')
    browser.peer.connection.say(3, '.')
    browser.peer.connection.close(4)
    await rest()
    expect(second.shown()).toEqual(['user sent: Why?', 'assistant complete: Because.'])
    expect(browser.peer.connections).toHaveLength(2)
  })

  it('has the text that its cursor says, however it went away', async () => {
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    for (let seq = 1; seq <= 40; seq += 1) {
      browser.peer.connection.say(seq, `${seq} `)
      await browser.environment.clock.advance(90)
      browser.environment.paint()
      const record = browser.disk.records.get(CONVERSATION)
      const answer = [...(record?.messages.values() ?? [])].find(({ role }) => role === 'assistant')
      const text = answer?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? ''
      const read = record?.state?.run?.reading.streams.get('s1')?.seq ?? 0
      expect(text).toBe(Array.from({ length: read }, (_, index) => `${index + 1} `).join(''))
    }
    // Four seconds: at most one write a second, beside those of the beginning.
    expect(browser.disk.writes.length).toBeLessThanOrEqual(8)
    first.crash()
    const second = await openTab()
    const { seq = 0 } = browser.peer.connection.opening.cursors[0] ?? {}
    expect(seq).toBeGreaterThan(20)
    for (let next = seq + 1; next <= 41; next += 1) browser.peer.connection.say(next, `${next} `)
    browser.peer.connection.close(42)
    await rest()
    expect(second.shown()[1]).toBe(
      `assistant complete: ${Array.from({ length: 41 }, (_, index) => `${index + 1} `).join('')}`,
    )
  })

  it.each(['disconnect', 'clearError'] as const)(
    'never writes a text its cursors are ahead of, though a callback calls %s in the midst of a batch',
    async (action) => {
      const first = browser.openTab(undefined, { onWarning: () => void first.chat[action]() })
      void first.chat.sendMessage('Why?')
      await rest()
      const warning = {
        event: { type: 'warning' as const, streamId: 's1', error: failure({ severity: 'WARNING' }) },
        cursor: { streamId: 's1', seq: 1 },
        progress: false,
      }
      browser.peer.connection.batch(warning, textDelivery(2, 'Because'))
      await rest()
      // What was written then is all there is.
      first.crash()
      const second = await openTab()
      expect(browser.peer.connection.opening.cursors).toEqual([{ streamId: 's1', seq: 2 }])
      expect(second.shown()[1]).toBe('assistant streaming: Because')
      expect(second.chat.getSnapshot().warnings).toHaveLength(1)
    },
  )

  it('has the question, because it is on the disk before the agent receives it', async () => {
    const first = await openTab()
    const { write } = browser.disk
    let release = (): void => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    browser.disk.write = async (changes) => {
      await gate
      return write(changes)
    }
    void first.chat.sendMessage('Why?')
    await rest()
    expect(first.shown()).toEqual(['user sending: Why?', 'assistant pending: '])
    expect(browser.peer.connections).toHaveLength(0)
    release()
    await rest()
    expect(browser.peer.connections).toHaveLength(1)
    expect(browser.disk.records.get(CONVERSATION)?.state?.order).toHaveLength(2)
  })

  it('does not wait for ever for a disk that does not answer', async () => {
    const first = await openTab()
    browser.disk.write = () => new Promise(() => {})
    void first.chat.sendMessage('Why?')
    await rest()
    await browser.environment.clock.advance(1000)
    await rest()
    expect(browser.peer.connections).toHaveLength(1)
  })

  it('asks again under the same id when the page went before anything came', async () => {
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    const { requestId } = browser.peer.connection.opening
    await first.close()
    const second = await openTab()
    expect(second.shown()).toEqual(['user sending: Why?', 'assistant pending: '])
    expect(browser.peer.connection.opening).toMatchObject({ requestId, cursors: [] })
  })

  it('replaces the text when the server has begun again', async () => {
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'Because')
    await rest()
    await first.close()
    const second = await openTab()
    browser.peer.connection.say(1, 'Since', 's2')
    browser.peer.connection.close(2, 's2')
    await rest()
    expect(second.shown()).toEqual(['user sent: Why?', 'assistant complete: Since'])
  })

  it('does not continue automatically after a long time, but lets the user do it', async () => {
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'Be')
    await rest()
    const { requestId } = browser.peer.connection.opening
    await first.close()
    browser.environment.clock.sleep(11 * 60_000)
    const second = await openTab()
    expect(browser.peer.connections).toHaveLength(1)
    expect(second.shown()).toEqual(['user sent: Why?', 'assistant incomplete: Be'])
    expect(second.chat.getSnapshot()).toMatchObject({ status: 'error', error: { code: 'truncated' } })
    void second.chat.retry()
    await rest()
    expect(browser.peer.connection.opening).toMatchObject({ requestId, cursors: [{ streamId: 's1', seq: 1 }] })
    browser.peer.connection.say(2, 'cause')
    browser.peer.connection.close(3)
    await rest()
    expect(second.shown()).toEqual(['user sent: Why?', 'assistant complete: Because'])
  })

  it('resumes a run that was silent for long while the page was there', async () => {
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'Be')
    await rest()
    browser.environment.paint()
    await browser.environment.clock.advance(20 * 60_000)
    first.crash()
    await openTab()
    expect(browser.peer.connections).toHaveLength(2)
  })

  it('does not ask again where the protocol has no numbers to continue from', async () => {
    browser = createFakeBrowser({
      peer: createScriptedPeer({ canResume: (cursors) => cursors.every(({ seq }) => seq !== undefined) }),
    })
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.batch({
      event: { type: 'text', streamId: 's1', text: 'Be' },
      cursor: { streamId: 's1' },
      progress: true,
    })
    await rest()
    await first.close()
    const second = await openTab()
    expect(browser.peer.connections).toHaveLength(1)
    expect(second.shown()).toEqual(['user sent: Why?', 'assistant incomplete: Be'])
    void second.chat.resume()
    await rest()
    expect(browser.peer.connections).toHaveLength(1)
  })
})

describe('what is kept beside answers', () => {
  it('is a message that could not be sent, with its error, and it goes out under its own id', async () => {
    const first = await openTab()
    void first.chat.sendMessage({
      text: 'Why?',
      files: ['file-7'],
      metadata: { mood: 'curious', later: () => 'never kept' },
    })
    await rest()
    const { requestId } = browser.peer.connection.opening
    browser.peer.connection.fail(failure({ status: 503, severity: 'FATAL' }))
    await rest()
    expect(first.shown()).toEqual(['user not-sent: Why?'])
    await first.close()

    const second = await openTab()
    const [message] = second.chat.getSnapshot().messages
    expect(message).toMatchObject({
      status: 'not-sent',
      files: ['file-7'],
      metadata: { mood: 'curious' },
      error: { code: 'network_error', status: 503 },
    })
    expect(message?.error).toBeInstanceOf(Error)
    void second.chat.retry(message?.id)
    await rest()
    expect(browser.peer.connection.opening.requestId).toBe(requestId)
  })

  it('is the queue', async () => {
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    await first.chat.sendMessage('And then?', { whenBusy: 'queue' })
    await rest()
    await first.close()
    const second = await openTab()
    expect(second.chat.getSnapshot().queued.map(({ message }) => message.text)).toEqual(['And then?'])
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await rest()
    expect(second.shown()).toEqual([
      'user sent: Why?',
      'assistant complete: So.',
      'user sending: And then?',
      'assistant pending: ',
    ])
  })

  it('is an unanswered question of the agent', async () => {
    const prompt: Prompt = {
      id: 'p1',
      streamId: 's1',
      kind: 'choice',
      message: 'Which one?',
      options: [{ id: 'a', label: 'A', kind: 'neutral' }],
      onExpiry: 'unknown',
      answeredBy: 'command',
      state: 'open',
    }
    const first = await openTab()
    void first.chat.sendMessage('Book it')
    await rest()
    browser.peer.connection.event(1, {
      type: 'prompt',
      prompt,
    })
    await rest()
    await first.close()
    const second = await openTab()
    expect(second.chat.getSnapshot().messages[1]?.parts).toEqual([{ type: 'prompt', id: 'p1', prompt }])
    expect(second.chat.getSnapshot().status).toBe('awaiting-input')
  })
})

describe('a message written before anything was read from the disk', () => {
  it('comes behind what was there', async () => {
    const first = await openTab()
    void first.chat.sendMessage('Why?')
    await rest()
    browser.peer.connection.say(1, 'So.')
    browser.peer.connection.close(2)
    await rest()
    await first.close()
    const second = browser.openTab()
    void second.chat.sendMessage('And then?')
    await rest()
    expect(second.shown()).toEqual([
      'user sent: Why?',
      'assistant complete: So.',
      'user sending: And then?',
      'assistant pending: ',
    ])
  })
})

describe('an empty conversation', () => {
  it('is not a thread', async () => {
    const tab = await openTab()
    await tab.close()
    expect(browser.disk.records.size).toBe(0)
  })
})
