// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Fragment, StrictMode, useEffect, useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { useChatInstance } from '../../src/react/use-agent-chat.ts'
import { useChatSelector } from '../../src/react/chat-context.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { textOf } from '../../src/state/turn.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const IDS = ['thread-a', 'thread-b', 'thread-c'] as const

describe.each([
  ['StrictMode', StrictMode],
  ['no StrictMode', Fragment],
] as const)('useChatInstance in %s', (_, Mode) => {
  // Without waits, the changes and whatever the hook schedules by itself are in the same renders.
  it.each([
    ['at once', []],
    ['after 0, 15, 33 and 60 ms', [0, 15, 33, 60]],
  ] as const)(
    'keeps the page and shows the right thread when the id changes %s while each streams',
    async (_, waits) => {
      const warned = vi.spyOn(console, 'warn').mockReturnValue()
      const environment = createManualEnvironment()
      const peer = createScriptedPeer()
      const client: AgentClient = {
        protocol: peer.protocol,
        retry: backoff({ baseMs: 0 }),
        timeoutMs: 60_000,
        environment,
        createRequest: ({ text }) => text,
      }
      const chats = new Map<string, ChatInstance>()
      const page: { show?: (ids: readonly string[]) => void } = {}
      function Page(): ReactNode {
        const [ids, setIds] = useState<readonly string[]>(IDS)
        const [id = '', ...next] = ids
        page.show = setIds
        const chat = useChatInstance({ conversationId: id })
        chats.set(id, chat)
        useEffect(() => {
          if (next.length > 0 && waits.length === 0) page.show?.(next)
        })
        return <Transcript chat={chat} />
      }
      function Transcript({ chat }: { readonly chat: ChatInstance }): ReactNode {
        const messages = useChatSelector((snapshot) => snapshot.messages, { chat })
        return <output>{messages.map((message) => textOf(message)).join('|')}</output>
      }
      render(
        <Mode>
          <AgentProvider client={client}>
            <Page />
          </AgentProvider>
        </Mode>,
      )
      for (const id of IDS) {
        await act(async () => page.show?.([id]))
        await act(async () => {
          void chats.get(id)?.sendMessage(`Question of ${id}`)
          await Promise.resolve()
          peer.connection.alive()
          peer.connection.say(1, `Answer of ${id}`)
        })
      }
      const walk = [...IDS, ...IDS, ...IDS.toReversed(), 'thread-b']
      if (waits.length === 0) await act(async () => page.show?.(walk))
      for (const [at, ms] of waits.entries()) {
        await new Promise((done) => setTimeout(done, ms - (waits[at - 1] ?? 0)))
        page.show?.([walk[at] ?? ''])
      }
      await act(async () => page.show?.(['thread-b']))
      expect(screen.getByRole('status').textContent).toContain('Question of thread-b')
      expect(warned).not.toHaveBeenCalled()
    },
  )
})
