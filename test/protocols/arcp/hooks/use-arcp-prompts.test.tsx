// @vitest-environment jsdom
import { cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ArcpPromptsOptions } from '../../../../src/protocols/arcp/hooks/use-arcp-prompts.ts'
import { useArcpPrompts } from '../../../../src/protocols/arcp/hooks/use-arcp-prompts.ts'
import type { PromptControls } from '../../../../src/react/use-prompts.ts'
import type { ArcpPage } from '../../../support/arcp-page.tsx'
import { createArcpPage } from '../../../support/arcp-page.tsx'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

let page: ArcpPage

beforeEach(() => {
  page = createArcpPage()
})

afterEach(() => {
  cleanup()
  page.client.close()
})

const INPUT = {
  prompt: 'Which branch?',
  response_schema: { type: 'object', properties: { branch: { type: 'string' } } },
}
const CHOICE = {
  prompt: 'How?',
  options: [
    { id: 'fix', label: 'Fix it' },
    { id: 'skip', label: 'Skip' },
  ],
}
const PERMISSION = { permission: 'fs.write', resource: '/reports', operation: 'write', requested_lease_seconds: 60 }

function shown(options: ArcpPromptsOptions = { ended: true }) {
  const { result } = renderHook(() => useArcpPrompts(options), { wrapper: page.wrapper })
  return {
    all: () => result.current,
    one(at = 0): PromptControls {
      const controls = result.current[at]
      if (controls === undefined) throw new Error('There is no such prompt.')
      return controls
    },
  }
}

it('gives what waits, oldest first, by job, as the same objects while nothing of it changes', async () => {
  const first = await page.begin()
  const second = await page.begin()
  first.emit('human.input.request', INPUT)
  second.emit('human.choice.request', CHOICE)
  second.emit('permission.request', PERMISSION)
  const [open, own] = [shown({}), shown({ jobId: second.id })]
  await page.rest()
  expect(open.all().map(({ prompt }) => prompt.kind)).toEqual(['form', 'choice', 'permission'])
  expect(own.all().map(({ prompt }) => prompt.kind)).toEqual(['choice', 'permission'])
  const before = open.all()
  first.emit('job.progress', { percent: 10 })
  await page.rest()
  expect(open.all()).toBe(before)
  // A device whose clock is wrong shows the end on its own clock.
  expect(open.one().prompt.expiresAt).toBeUndefined()
})

it('takes an answer once, shows what was wrong with it, and takes a better one', async () => {
  const job = await page.begin()
  job.emit('human.input.request', INPUT)
  const prompts = shown()
  await page.rest()
  const wrong = prompts.one().submit('wrong')
  const twice = prompts.one().submit('wrong')
  await page.rest()
  expect(await wrong).toMatchObject({ status: 'invalid', errors: [{ path: '/branch' }] })
  expect(await twice).toMatchObject({ status: 'refused', error: { code: 'busy' } })
  expect(prompts.one().prompt).toMatchObject({ state: 'open', errors: [{ message: 'is not a branch' }] })
  const right = prompts.one().submit({ branch: 'main' })
  await page.rest()
  expect(await right).toEqual({ status: 'accepted' })
  expect(prompts.one().prompt).toMatchObject({
    state: 'answered',
    errors: undefined,
    answer: { type: 'value', value: { branch: 'main' } },
  })
  expect(page.runtime.of('human.input.response')).toHaveLength(2)
})

it('grants a permission and denies another', async () => {
  const job = await page.begin()
  job.emit('permission.request', PERMISSION)
  job.emit('permission.request', { ...PERMISSION, operation: 'delete' })
  const prompts = shown()
  await page.rest()
  const granted = prompts.one(0).choose('grant')
  const denied = prompts.one(1).decline('Never.')
  await page.rest()
  expect([await granted, await denied]).toEqual([{ status: 'accepted' }, { status: 'accepted' }])
  expect(prompts.all().map(({ prompt }) => prompt.state)).toEqual(['answered', 'declined'])
})

it.each([
  ['expired', { code: 'DEADLINE_EXCEEDED' }],
  ['answered-elsewhere', { code: 'CANCELLED' }],
])('shows one that is %s', async (state, payload) => {
  const job = await page.begin()
  const id = job.emit('human.choice.request', CHOICE)
  const [prompts, open] = [shown(), shown({})]
  await page.rest()
  job.emit('human.input.cancelled', payload, { correlation_id: id })
  await page.rest()
  expect(prompts.one().prompt.state).toBe(state)
  expect(open.all()).toEqual([])
  expect(await prompts.one().choose('fix')).toEqual({ status: 'too-late' })
  expect(page.runtime.of('human.choice.response')).toEqual([])
})

it('shows one whose job died while it waited', async () => {
  const job = await page.begin()
  job.emit('human.choice.request', CHOICE)
  const prompts = shown()
  job.fail('HEARTBEAT_LOST', 'The job is gone.')
  await page.rest()
  expect(prompts.one().prompt.state).toBe('withdrawn')
})

it('repeats an answer under its id when nobody knows whether it arrived', async () => {
  const job = await page.begin()
  job.emit('human.choice.request', CHOICE)
  const prompts = shown()
  await page.rest()
  page.runtime.mute()
  page.runtime.refuse = Infinity
  const lost = prompts.one().choose('fix')
  await page.rest()
  expect(prompts.one().prompt.state).toBe('sending')
  for (let minute = 0; minute < 30; minute++) {
    await page.rest(60_000)
  }
  expect(await lost).toMatchObject({ status: 'unconfirmed' })
  expect(prompts.one().prompt).toMatchObject({ state: 'unconfirmed', answer: { optionId: 'fix' } })
  page.runtime.refuse = 0
  const repeated = prompts.one().repeat?.()
  await page.rest(60_000)
  await page.rest(60_000)
  expect(await repeated).toEqual({ status: 'accepted' })
  expect(prompts.one().prompt.state).toBe('answered')
  expect(new Set(page.runtime.of('human.choice.response').map(({ id }) => id)).size).toBe(1)
})
