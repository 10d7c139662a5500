// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { useLayoutEffect } from 'react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { useNow } from '../../src/react/use-now.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'

const EVERY_MS = 100

let environment: ManualEnvironment
let client: AgentClient
/** A busy machine: so many milliseconds ago a timer was due that has not been called yet. */
let late: number
/** What each reader showed in each commit. */
let shown: Record<string, number[]>

beforeEach(() => {
  environment = createManualEnvironment()
  late = 0
  const { clock } = environment
  const busy = {
    now: () => clock.now() + late,
    date: () => clock.date(),
    after: (ms: number, callback: () => void) => clock.after(ms, callback),
  }
  const { protocol } = createScriptedPeer()
  // The scripted protocol takes strings, which is what createRequest gives.
  client = {
    protocol,
    retry: backoff(),
    timeoutMs: 60_000,
    environment: { ...environment, clock: busy },
    createRequest: ({ text }) => text,
  }
  shown = {}
})

afterEach(() => {
  cleanup()
  expect(environment.clock.pending).toBe(0)
})

function Reader({ name, active = true }: { readonly name: string; readonly active?: boolean }): ReactNode {
  const now = useNow(active, EVERY_MS)
  useLayoutEffect(() => {
    ;(shown[name] ??= []).push(now)
  })
  return null
}

const page = (readers: ReactNode): ReactNode => <AgentProvider client={client}>{readers}</AgentProvider>

it('shows in its first frame what the other readers show, however late it comes', async () => {
  const { rerender } = render(page(<Reader key="first" name="first" />))
  const before = shown['first']?.at(-1)
  late = 60
  rerender(page([<Reader key="first" name="first" />, <Reader key="second" name="second" />]))
  expect(shown['second']?.[0]).toBe(before)
  // Then both read the clock again, together.
  expect(shown['second']?.at(-1)).toBe(60)
  expect(shown['first']?.at(-1)).toBe(60)
})

it('shows no time of an earlier render when it becomes active', async () => {
  const { rerender } = render(page(<Reader name="one" active={false} />))
  await act(() => environment.clock.advance(30_000))
  rerender(page(<Reader name="one" active />))
  expect(shown['one']?.slice(1).every((now) => now === environment.clock.now())).toBe(true)
})

it('does not change while it is not active', async () => {
  const { rerender } = render(page(<Reader name="one" />))
  rerender(page(<Reader name="one" active={false} />))
  const last = shown['one']?.at(-1)
  await act(() => environment.clock.advance(1_000))
  rerender(page(<Reader name="one" active={false} />))
  expect(shown['one']?.at(-1)).toBe(last)
})

it('has one timer for all, and none when nobody reads', async () => {
  const { unmount } = render(page([<Reader key="a" name="a" />, <Reader key="b" name="b" />]))
  expect(environment.clock.pending).toBe(1)
  await act(() => environment.clock.advance(EVERY_MS))
  expect(shown['a']?.at(-1)).toBe(environment.clock.now())
  expect(shown['b']).toEqual(shown['a'])
  unmount()
  expect(environment.clock.pending).toBe(0)
})
