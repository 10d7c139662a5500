// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { afterAll, expect, it, vi } from 'vitest'
import { PromptArea } from '../../../src/components/prompt-area/prompt-area.tsx'
import { promptOf } from '../../support/prompts.ts'
import { answer, createFakeChat, said } from '../fake-chat.ts'
import { settle, show } from '../show.tsx'
import { eventually } from '../../support/eventually.ts'

const CODE = '../../../src/components/prompt-area/prompt-components.ts'

afterAll(() => vi.doUnmock(CODE))

it('says that a question could not be shown when its code does not load, and tries again', async () => {
  vi.doMock(CODE, () => {
    throw new Error('The network is gone.')
  })
  // The first import after a mock asks the main thread about it, which on a busy machine takes longer than a `waitFor`.
  await expect(import(CODE)).rejects.toThrow('There was an error when mocking a module')
  show(
    createFakeChat({
      status: 'awaiting-input',
      messages: [
        said('u', 'Go'),
        answer('a', [{ type: 'prompt', id: 'p1', prompt: promptOf() }], { status: 'streaming' }),
      ],
    }),
    <PromptArea />,
  )
  await eventually(async () => {
    await settle()
    expect(screen.getByRole('alert').textContent).toContain('A question couldn’t be shown.')
  })
  vi.doMock(CODE, () => ({ promptComponents: { Dock: () => <p>The dock</p>, Trace: () => null } }))
  await import(CODE)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await eventually(async () => {
    await settle()
    expect(screen.getByText('The dock')).toBeDefined()
  })
  expect(screen.queryByRole('alert')).toBeNull()
})
