// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import { afterAll, expect, it, vi } from 'vitest'
import { PromptArea } from '../../src/components/prompt-area.tsx'
import { promptOf } from '../support/prompts.ts'
import { answer, createFakeChat, said } from './fake-chat.ts'
import { settle, show } from './show.tsx'
import { eventually } from '../support/eventually.ts'

const CODE = '../../src/components/prompt-components.ts'

afterAll(() => vi.doUnmock(CODE))

it('loads its code when a run starts, and says that a question could not be shown only when one waits', async () => {
  let loads = 0
  vi.doMock(CODE, () => {
    loads += 1
    throw new Error('The network is gone.')
  })
  // The first import after a mock asks the main thread about it, which on a busy machine takes longer than a `waitFor`.
  await expect(import(CODE)).rejects.toThrow('There was an error when mocking a module')
  loads = 0
  const chat = createFakeChat({ messages: [said('u', 'Go')] })
  show(chat, <PromptArea />)
  await settle()
  expect(loads).toBe(0)
  act(() => chat.set({ status: 'submitted' }))
  await eventually(async () => {
    await settle()
    expect(loads).toBe(1)
  })
  expect(screen.queryByRole('alert')).toBeNull()
  act(() =>
    chat.set({
      status: 'awaiting-input',
      messages: [
        said('u', 'Go'),
        answer('a', [{ type: 'prompt', id: 'p1', prompt: promptOf() }], { status: 'streaming' }),
      ],
    }),
  )
  await eventually(async () => {
    await settle()
    expect(screen.getByRole('alert').textContent).toContain('A question couldn’t be shown.')
  })
  expect(loads).toBeGreaterThan(1)
  vi.doMock(CODE, () => ({ promptComponents: { Dock: () => <p>The dock</p>, Trace: () => null } }))
  await import(CODE)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await eventually(async () => {
    await settle()
    expect(screen.getByText('The dock')).toBeDefined()
  })
  expect(screen.queryByRole('alert')).toBeNull()
})
