// @vitest-environment jsdom
import { act, cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { StrictMode } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AgentProvider } from '../../../../src/react/agent-provider.tsx'
import type { CapChat } from '../../../../src/protocols/cap/hooks/use-cap-chat.ts'
import { useCapChat } from '../../../../src/protocols/cap/hooks/use-cap-chat.ts'
import type { AgentClient } from '../../../../src/session/agent-client.ts'
import { backoff } from '../../../../src/base/backoff.ts'
import { textOf } from '../../../../src/state/turn.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import { createScriptedPeer, failure } from '../../../support/scripted-peer.ts'

/** More turns of the microtask queue than a whole run below takes; see the last expectation. */
const MOST_TURNS = 60

afterEach(cleanup)

/** Plays one run, with a drop in its middle, and unmounts after so many turns of the microtask queue. */
async function unmountAfter(turns: number): Promise<{ readonly finished: boolean }> {
  const environment = createManualEnvironment()
  const peer = createScriptedPeer()
  // The scripted protocol takes strings, which is what createRequest gives.
  const client: AgentClient = {
    protocol: peer.protocol,
    retry: backoff({ baseMs: 0 }),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text }) => text,
  }
  const seen: { chat?: CapChat } = {}
  function Probe(): ReactNode {
    const chat = useCapChat()
    seen.chat = chat
    return <p>{chat.messages.map((message) => textOf(message)).join('|')}</p>
  }
  const view = render(
    <StrictMode>
      <AgentProvider client={client}>
        <Probe />
      </AgentProvider>
    </StrictMode>,
  )
  const played = new Set<object>()
  const play = (): void => {
    const connection = peer.connections.at(-1)
    if (connection === undefined || played.has(connection)) return
    played.add(connection)
    connection.alive()
    connection.say(1, 'Half')
    if (peer.connections.length === 1) connection.fail(failure())
    else {
      connection.say(2, ' whole')
      connection.close(3)
    }
  }
  await act(async () => {
    void seen.chat?.sendMessage('Why?')
    for (let turn = 0; turn < turns; turn += 1) {
      play()
      await Promise.resolve()
      // The wait between the attempts has ended at once.
      if (seen.chat?.chat.getSnapshot().connection.phase === 'waiting') seen.chat.chat.retry().catch(() => {})
      environment.paint()
    }
    view.unmount()
  })
  await environment.clock.advance(0)
  const left = seen.chat?.chat.getSnapshot()
  await environment.clock.advance(600_000)
  environment.paint()
  expect(seen.chat?.chat.getSnapshot(), `something was written after the unmount, ${turns} turns in`).toBe(left)
  expect(
    peer.connections.filter(({ aborted }) => !aborted),
    `a connection is left, ${turns} turns in`,
  ).toEqual([])
  expect(environment.clock.pending, `a timer is left, ${turns} turns in`).toBe(0)
  expect(environment.listeners, `a listener is left, ${turns} turns in`).toBe(0)
  expect(environment.reports).toEqual([])
  return { finished: left?.messages.at(-1)?.status === 'complete' }
}

describe('a component that is unmounted', () => {
  it('at any turn of a run leaves no connection, no timer and no listener, and writes nothing more', async () => {
    const complaints = vi.spyOn(console, 'error')
    const finished: boolean[] = []
    for (let turns = 0; turns <= MOST_TURNS; turns += 1) finished.push((await unmountAfter(turns)).finished)
    expect(complaints.mock.calls).toEqual([])
    // The first ones left in the middle, the last ones had seen the whole answer.
    expect(finished[0]).toBe(false)
    expect(finished.at(-1)).toBe(true)
    complaints.mockRestore()
  })
})
