// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { AiSdkClient } from '../../../../src/ai-sdk.ts'
import { textOf } from '../../../../src/index.ts'
import { AgentProvider, useAgentChat } from '../../../../src/react.ts'
import type { AiSdkServer } from '../../../support/ai-sdk-server.ts'
import { framesOf, serveAiSdk, textAnswer } from '../../../support/ai-sdk-server.ts'

afterEach(cleanup)

function Conversation(): ReactNode {
  const { messages, sendMessage, status } = useAgentChat()
  return (
    <button disabled={status !== 'ready' && status !== 'error'} onClick={() => void sendMessage('Why?')}>
      {messages.map((message) => `${message.role} ${message.status}: ${textOf(message)}`).join(' | ')}
    </button>
  )
}

function show(server: AiSdkServer): HTMLElement {
  const client = new AiSdkClient({ api: 'https://app.test/api/chat', fetch: server.fetch, resumeUrl: false })
  render(
    <AgentProvider client={client}>
      <Conversation />
    </AgentProvider>,
  )
  return screen.getByRole('button')
}

it('shows a conversation with a server of the AI SDK, by the client of the provider', async () => {
  const server = serveAiSdk({ POST: [textAnswer('m1', 'Rivers ', 'bend.'), textAnswer('m2', 'They do.')] })
  const button = show(server)
  fireEvent.click(button)
  await expect.poll(() => button.textContent).toBe('user sent: Why? | assistant complete: Rivers bend.')
  await expect.poll(() => button.hasAttribute('disabled')).toBe(false)
  fireEvent.click(button)
  await expect.poll(() => button.textContent).toContain('assistant complete: They do.')
  expect(server.seen[1]?.body.messages).toHaveLength(3)
})

it('shows an answer that was cut as incomplete', async () => {
  const button = show(serveAiSdk({ POST: [framesOf(textAnswer('m1', 'Rivers ', 'bend.').slice(0, 4), false)] }))
  fireEvent.click(button)
  await expect.poll(() => button.textContent).toBe('user sent: Why? | assistant incomplete: Rivers ')
})
