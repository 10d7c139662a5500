// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, it } from 'vitest'
import { AgUiClient } from '../../../../src/ag-ui.ts'
import { textOf } from '../../../../src/index.ts'
import { AgentProvider, useAgentChat } from '../../../../src/react.ts'
import type { AgUiServer } from '../../../support/ag-ui-server.ts'
import { serveAgUi, textAnswer } from '../../../support/ag-ui-server.ts'

afterEach(cleanup)

function Conversation(): ReactNode {
  const { messages, sendMessage, status } = useAgentChat()
  return (
    <button disabled={status !== 'ready' && status !== 'error'} onClick={() => void sendMessage('Why?')}>
      {messages.map((message) => `${message.role} ${message.status}: ${textOf(message)}`).join(' | ')}
    </button>
  )
}

function show(server: AgUiServer): HTMLElement {
  const client = new AgUiClient({ url: 'https://app.test/agent', fetch: server.fetch })
  render(
    <AgentProvider client={client}>
      <Conversation />
    </AgentProvider>,
  )
  return screen.getByRole('button')
}

it('shows a conversation with an agent of AG-UI, by the client of the provider', async () => {
  const server = serveAgUi({ POST: [textAnswer('m1', 'Rivers ', 'bend.'), textAnswer('m2', 'They do.')] })
  const button = show(server)
  fireEvent.click(button)
  await expect.poll(() => button.textContent).toBe('user sent: Why? | assistant complete: Rivers bend.')
  await expect.poll(() => button.hasAttribute('disabled')).toBe(false)
  fireEvent.click(button)
  await expect.poll(() => button.textContent).toContain('assistant complete: They do.')
  expect(server.seen[1]?.body.messages).toHaveLength(3)
})

it('shows an answer that was cut as incomplete', async () => {
  const button = show(serveAgUi({ POST: [textAnswer('m1', 'Rivers ', 'bend.').slice(0, 3)] }))
  fireEvent.click(button)
  await expect.poll(() => button.textContent).toBe('user sent: Why? | assistant incomplete: Rivers ')
})
