// @vitest-environment jsdom
import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CommandResult } from '../../src/seam/command.ts'
import type { Lease } from '../../src/seam/lease.ts'
import { loadCommandsModule } from '../../src/state/chat.ts'
import { failure } from '../support/scripted-peer.ts'
import type { ScriptedChat } from './scripted-chat.tsx'
import { ask, showScriptedChat } from './scripted-chat.tsx'
import './show.tsx'

beforeAll(async () => {
  await loadCommandsModule()
  await import('../../src/components/prompt-components.ts')
})

const LEASE: Lease = { name: 'fs.write', resource: '/reports', state: 'active', canExtend: true, canRevoke: true }

let page: ScriptedChat
let results: (CommandResult | Error | Promise<CommandResult>)[]

beforeEach(async () => {
  results = []
  page = showScriptedChat({
    canAct: true,
    onCommand: () => {
      const result = results.shift() ?? { result: 'accepted' }
      if (result instanceof Error) throw result
      return result
    },
  })
  await page.move(() => ask('Go'))
})

async function grant(seq: number, change: Partial<Lease> = {}, id = 'l1'): Promise<void> {
  const lease = { ...LEASE, ...change }
  await page.move(() =>
    page.peer.connection.event(seq, { type: 'part', streamId: 's1', partId: id, part: { type: 'lease', lease } }),
  )
  // The code is a promise away.
  await page.move(() => {})
}

const list = (): HTMLElement => screen.getByRole('list', { name: 'Allowed for now' })
const press = (name: string): Promise<void> =>
  page.move(() => fireEvent.click(within(list()).getByRole('button', { name })))

describe('what the user has allowed for a time', () => {
  it('is below the header, counts down, and warns in the last minute', async () => {
    await grant(1, { until: page.environment.clock.date() + 90_000 })
    expect(within(list()).getByText('fs.write').nextElementSibling?.textContent).toBe('/reports')
    expect(list().textContent).toContain('90 s left')
    expect(list().querySelector('[data-tone]')).toBeNull()
    await page.move(() => page.peer.connection.alive(), 40_000)
    expect(list().textContent).toContain('50 s left')
    expect(list().querySelector('[data-tone=caution]')).not.toBeNull()
    await page.move(() => page.peer.connection.alive(), 40_000)
    await page.move(() => page.peer.connection.alive(), 20_000)
    expect(list().textContent).toContain('Time is over')
  })

  it('is extended by what its button says, and tells only what the agent has agreed to', async () => {
    await grant(1, { until: page.environment.clock.date() + 90_000 })
    await press('Extend by 15 min')
    expect(page.peer.commands).toMatchObject([{ type: 'lease', change: { type: 'extend', ms: 900_000 } }])
    expect(list().textContent).toContain('90 s left')
    await grant(2, { until: page.environment.clock.date() + 990_000 })
    expect(list().textContent).toContain('16 min')
  })

  it('goes when it is revoked; its row in the transcript and a live region tell so, and the focus moves on', async () => {
    await grant(1)
    expect(page.container.querySelector('.cs-message .cs-prompt-trace')?.textContent).toBe(
      'fs.write /reports is allowed',
    )
    within(list()).getByRole('button', { name: 'Revoke' }).focus()
    await press('Revoke')
    expect(screen.queryByRole('list', { name: 'Allowed for now' })).toBeNull()
    for (const told of screen.getAllByText('fs.write /reports is no longer allowed'))
      expect(told.closest('.cs-prompt-trace, [role=status]')).not.toBeNull()
    expect(screen.getAllByText('fs.write /reports is no longer allowed')).toHaveLength(2)
    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  })

  it('is extended no more when the answer is complete, and the focus moves to what is left', async () => {
    await grant(1)
    within(list()).getByRole('button', { name: 'Extend by 15 min' }).focus()
    await page.move(() => page.peer.connection.close(2))
    expect(within(list()).getAllByRole('button')).toEqual([document.activeElement])
    expect(document.activeElement?.textContent).toBe('Revoke')
  })

  it('shows its expiry as reported by the agent', async () => {
    await grant(1)
    await grant(2, { state: 'expired' })
    const [told] = screen.getAllByText('fs.write /reports is no longer allowed: its time is over')
    expect(told).toBeDefined()
    expect(screen.queryByRole('list', { name: 'Allowed for now' })).toBeNull()
  })

  it('says when the agent refuses a change, or nobody knows of it', async () => {
    await grant(1)
    results = [{ result: 'unsupported' }]
    await press('Extend by 15 min')
    expect(within(list()).getByRole('status').textContent).toBe('The assistant didn’t accept this.')
    let told = (_result: CommandResult): void => {}
    results = [new Promise((resolve) => (told = resolve)), ...Array.from({ length: 12 }, () => failure())]
    await press('Revoke')
    expect(within(list()).getByRole('status').textContent).toBe('Waiting for the assistant…')
    const sent = page.peer.commands.length
    await press('Revoke')
    expect(page.peer.commands).toHaveLength(sent)
    await page.move(() => told({ result: 'too-late' }))
    expect(within(list()).getByRole('status').textContent).toBe('')
    await press('Revoke')
    for (let round = 0; round < 20; round++) await page.move(() => page.peer.connection.alive(), 10_000)
    expect(within(list()).getByRole('status').textContent).toBe('It is not known whether this arrived.')
    expect(within(list()).getByText('fs.write')).toBeDefined()
  })

  it('has no buttons that the agent does not take', async () => {
    await grant(1, { canExtend: false, canRevoke: false })
    expect(within(list()).queryAllByRole('button')).toEqual([])
    expect(list().textContent).toContain('No time limit')
  })

  it('shows the words of the agent as they are, hidden characters too', async () => {
    await grant(1, { name: 'fs\u202Ewrite', grants: '**All** <b>files</b>' })
    expect(list().textContent).toContain('fs[U+202E]write')
    expect(list().textContent).toContain('**All** <b>files</b>')
    expect(list().querySelector('b')).toBeNull()
  })

  it('costs a page without one neither an element nor the code', async () => {
    await act(async () => {})
    expect(page.container.querySelector('.cs-lease-list')).toBeNull()
  })
})
