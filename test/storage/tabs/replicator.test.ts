import { expect, it } from 'vitest'
import type { ChatMessage } from '../../../src/state/turn.ts'
import { createFakeBrowser, rest } from '../fake-tabs.ts'

/** Messages that count how often any of their fields is read. */
function createCounted(count: number): { readonly messages: readonly ChatMessage[]; reads: number } {
  const counted = {
    reads: 0,
    messages: Array.from({ length: count }, (_, index): ChatMessage => {
      const message: ChatMessage = {
        id: `old-${index}`,
        role: 'user',
        status: 'sent',
        parts: [{ type: 'text', id: 'text-1', text: `Old ${index}` }],
      }
      return new Proxy(message, {
        get(target, key, receiver): unknown {
          counted.reads += 1
          return Reflect.get(target, key, receiver)
        },
        ownKeys(target) {
          counted.reads += 1
          return Reflect.ownKeys(target)
        },
      })
    }),
  }
  return counted
}

/** How often unchanged messages are read, and said again, while another tab watches a word come. */
async function toldPerWord(
  count: number,
): Promise<{ readonly reads: number; readonly said: number; readonly words: number }> {
  const browser = createFakeBrowser()
  const [first, second] = [browser.openTab(), browser.openTab()]
  for (const tab of [first, second]) {
    void tab.chat.resume()
    await rest()
  }
  const counted = createCounted(count)
  first.chat.prepend(counted.messages)
  void first.chat.sendMessage('Why?')
  await rest()
  const say = async (seq: number): Promise<void> => {
    browser.peer.connection.say(seq, `word ${seq} `)
    await rest()
    browser.environment.paint()
    await browser.environment.clock.advance(100)
    await rest()
  }
  await say(1)
  await browser.environment.clock.advance(1000)
  await rest()
  counted.reads = 0
  browser.said.splice(0)
  for (let seq = 2; seq < 6; seq += 1) await say(seq)
  const { reads } = counted
  expect(second.shown().at(-1)).toBe('assistant streaming: word 1 word 2 word 3 word 4 word 5 ')
  return { reads, said: browser.said.filter((message) => message.includes('"Old ')).length, words: browser.said.length }
}

it('the message to another tab for a word does not depend on how many messages are before it', async () => {
  expect(await toldPerWord(3)).toEqual({ reads: 0, said: 0, words: 4 })
  expect(await toldPerWord(300)).toEqual({ reads: 0, said: 0, words: 4 })
})
