import type { ReactNode } from 'react'
import { useEffect, useRef, useState } from 'react'
import type { Clock } from '../../src/base/ports/clock.ts'
import { systemClock } from '../../src/base/ports/clock.ts'
import type { Environment } from '../../src/base/ports/environment.ts'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import type { ChatProps } from '../../src/components/chat.tsx'
import { Chat } from '../../src/components/chat.tsx'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { useChatInstance } from '../../src/react/use-agent-chat.ts'
import { backoff } from '../../src/base/backoff.ts'
import type { ChatMessage } from '../../src/state/turn.ts'
import type { Script } from '../../src/testing/scripted-agent.ts'
import { scriptedAgent } from '../../src/testing/scripted-agent.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'

export interface ScriptedChatProps extends Omit<ChatProps, 'chat' | 'conversationId'> {
  /** What the agent says, with cuts, pauses and refusals (`capstan/testing`). A function is asked once per question. */
  readonly script?: Script | ((question: string, ordinal: number) => Script) | undefined
  /** Another agent than a scripted one, such as a `packetAgent`. */
  readonly fetch?: Fetch | undefined
  /** Asked as soon as the story is shown. Absent: the chat waits for the user. */
  readonly question?: string | undefined
  /** Messages that were there before. */
  readonly initialMessages?: readonly ChatMessage[] | undefined
  /** Reconnects without new content before a run is abandoned. */
  readonly maxRetries?: number | undefined
  /** The longest first wait before another attempt, in milliseconds; counts only with a `random` above 0. */
  readonly retryBaseMs?: number | undefined
  /** Longest silence on the connection, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Replaces network state, chance and time; the waits before another attempt are nothing unless `random` says more. */
  readonly environment?: Partial<Environment> | undefined
}

/** Time passes as it does; only the hour that messages show does not change. */
const CLOCK: Clock = { ...systemClock, date: () => Date.UTC(2026, 2, 1, 9, 41) }

/**
 * A whole chat with a real `CapClient`, over an agent in memory: everything but the network is the real thing. Script
 * and client settings are read once.
 */
export function ScriptedChat({
  script = [],
  fetch,
  maxRetries = 3,
  retryBaseMs,
  timeoutMs,
  environment,
  ...props
}: ScriptedChatProps): ReactNode {
  const [client] = useState(
    () =>
      new CapClient({
        baseUrl: 'https://agent.test',
        fetch: fetch ?? scriptedAgent(script).fetch,
        retry: backoff({ maxAttempts: maxRetries, ...(retryBaseMs !== undefined && { baseMs: retryBaseMs }) }),
        timeoutMs,
        environment: { random: () => 0, clock: CLOCK, ...environment },
      }),
  )
  return (
    <AgentProvider client={client}>
      <AskingChat {...props} />
    </AgentProvider>
  )
}

type AskingChatProps = Omit<
  ScriptedChatProps,
  'script' | 'fetch' | 'maxRetries' | 'retryBaseMs' | 'timeoutMs' | 'environment'
>

function AskingChat({ question, initialMessages, ...props }: AskingChatProps): ReactNode {
  const chat = useChatInstance({ initialMessages })
  const asked = useRef(false)
  useEffect(() => {
    if (question === undefined || asked.current) return
    asked.current = true
    // How it ended is in the snapshot.
    chat.sendMessage(question).catch(() => {})
  }, [chat, question])
  return <Chat {...props} chat={chat} />
}
