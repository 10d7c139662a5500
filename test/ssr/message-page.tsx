import type { ReactNode } from 'react'
import { Message } from '../../src/components/message/message.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import { answer, createFakeChat } from '../components/fake-chat.ts'

/** One message, in no transcript. A new page on each call, as on another machine. */
export function createPage(): ReactNode {
  const messages = [answer('a', [{ type: 'notice', id: 'notice', message: 'One gauge is closed.' }])]
  return (
    <ChatContext.Provider value={createFakeChat({ messages })}>
      <Message messageId="a" />
    </ChatContext.Provider>
  )
}
