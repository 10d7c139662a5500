import { createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { Chat } from '../../src/components/chat.tsx'
import { Composer } from '../../src/components/composer/composer.tsx'
import { MessageList } from '../../src/components/message-list/message-list.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import { answer, createFakeChat, said, text } from '../../test/components/fake-chat.ts'

const WORDS =
  'the river wears the outer bank and lays the sand down on the inner one until the neck is cut and a lake is left behind'.split(
    ' ',
  )

/** So many words, always the same ones. */
const words = (count: number): string => Array.from({ length: count }, (_, at) => WORDS[at % WORDS.length]).join(' ')

const messages = (count: number) =>
  Array.from({ length: count / 2 }, (_, at) => [
    said(`u-${at}`, `Question ${at}: ${words(5 + ((at * 7) % 30))}`),
    answer(`a-${at}`, [text(`Answer ${at}: ${words(20 + ((at * 37) % 160))}`)]),
  ]).flat()

/** What the bench calls in its pages: shows a chat of so many messages, and gives the way to stream into it. */
function show(count: number, whole: boolean): (piece: number) => void {
  const live = answer('live', [text('')], { status: 'streaming' })
  const chat = createFakeChat({ messages: count === 0 ? [] : [...messages(count - 1 - ((count - 1) % 2)), live] })
  const box = document.querySelector('main')
  if (!box) throw new Error('The page has no main.')
  const list = createElement(
    ChatContext.Provider,
    { value: chat },
    createElement(
      'div',
      { className: 'cs-chat' },
      createElement(MessageList, { windowAbove: Infinity }),
      createElement(Composer),
    ),
  )
  createRoot(box).render(whole ? list : createElement(Chat, { chat }))
  return (piece) => chat.change('live', { parts: [text(words(piece))] })
}

Object.assign(globalThis, { show })
