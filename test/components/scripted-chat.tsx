import { act, fireEvent, render, screen } from '@testing-library/react'
import { vi } from 'vitest'
import type { ChatProps } from '../../src/components/chat.tsx'
import { Chat } from '../../src/components/chat.tsx'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'

export interface ScriptedChat {
  readonly container: HTMLElement
  readonly environment: ManualEnvironment
  readonly peer: ScriptedPeer
  /** Something happens, and so many milliseconds pass; then the new packets are shown, unless `paints` is false. */
  move(step: () => void, ms?: number, paints?: boolean): Promise<void>
}

/** A whole chat over a connection the test speaks on, in a time the test moves. */
export function showScriptedChat(
  peerOptions: Parameters<typeof createScriptedPeer>[0] = {},
  chatProps: ChatProps = {},
): ScriptedChat {
  const environment = createManualEnvironment()
  const peer = createScriptedPeer(peerOptions)
  // The scripted protocol takes strings, which is what createRequest gives.
  const client: AgentClient = {
    protocol: peer.protocol,
    retry: backoff(),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text: words }) => words,
  }
  const { container } = render(
    <AgentProvider client={client}>
      <Chat title="Rivers" {...chatProps} />
    </AgentProvider>,
  )
  const move = (step: () => void, ms = 20, paints = true): Promise<void> =>
    act(async () => {
      step()
      if (vi.isFakeTimers()) vi.advanceTimersByTime(ms)
      await environment.clock.advance(ms)
      if (paints) environment.paint()
    })
  return { container, environment, peer, move }
}

/** The user asks, by Enter. */
export function ask(question: string): void {
  fireEvent.change(screen.getByRole('textbox'), { target: { value: question } })
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter' })
}
