import type { ReactNode } from 'react'
import { memo, Profiler, useEffect } from 'react'
import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { Message } from '../../src/components/message/message.tsx'
import { MessageList } from '../../src/components/message-list/message-list.tsx'
import { AgentProvider } from '../../src/react/agent-provider.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import { useChatInstance } from '../../src/react/use-agent-chat.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { textOf, type ChatMessage } from '../../src/state/turn.ts'
import { pause, scriptedAgent } from '../../src/testing/scripted-agent.ts'
import { painted, thread, until } from './transcript.tsx'

const DELTAS = 4000

/** Four thousand deltas, forty at a time, with a moment in between. */
const answerScript = Array.from({ length: DELTAS }, (_, at) =>
  at % 40 === 39 ? [`word${at} `, pause(2)] : [`word${at} `],
).flat()

interface Counts {
  /** How often the list itself rendered. */
  list: number
  /** Renders by message id. */
  readonly messages: Map<string, number>
  /** Times anything in the list was committed. */
  commits: number
}

/** A real chat over a scripted agent, and what it costs to show its answer. */
async function streamed(
  before: readonly ChatMessage[],
): Promise<{ counts: Counts; frames: number; chat: ChatInstance; view: HTMLElement }> {
  const client = new CapClient({ baseUrl: 'https://agent.test', fetch: scriptedAgent(answerScript).fetch })
  const counts: Counts = { list: 0, messages: new Map(), commits: 0 }
  let chat: ChatInstance | undefined

  // A separate Profiler would report every render of the list, also where the message had nothing to do.
  const Counted = memo(function Counted({ id }: { readonly id: string }): ReactNode {
    return (
      <Profiler id={id} onRender={() => counts.messages.set(id, (counts.messages.get(id) ?? 0) + 1)}>
        <Message messageId={id} />
      </Profiler>
    )
  })
  const renderMessage = (id: string): ReactNode => {
    if (id === before.at(-1)?.id) counts.list += 1
    return <Counted id={id} />
  }
  function Desk(): ReactNode {
    const made = useChatInstance({ initialMessages: before })
    useEffect(() => {
      chat = made
    }, [made])
    return (
      <ChatContext.Provider value={made}>
        <div className="cs-chat" ref={(box) => box?.style.setProperty('height', '600px')}>
          <Profiler id="list" onRender={() => (counts.commits += 1)}>
            <MessageList renderMessage={renderMessage} />
          </Profiler>
        </div>
      </ChatContext.Provider>
    )
  }
  const screen = await render(
    <AgentProvider client={client}>
      <Desk />
    </AgentProvider>,
  )
  if (!chat) throw new Error('There is no chat.')
  const shown = chat
  if (before.length > 60) await until(() => document.querySelector('.cs-spacer') !== null)
  const ended = shown.sendMessage('Tell me everything')
  await until(() => shown.getSnapshot().status === 'streaming')
  counts.list = 0
  counts.commits = 0
  counts.messages.clear()
  let frames = 0
  let counting = true
  const count = (): void => {
    frames += 1
    if (counting) requestAnimationFrame(count)
  }
  requestAnimationFrame(count)
  await ended
  counting = false
  // The end is shown at once, and followed before the next paint.
  await painted()
  // The view is a `div` of ours.
  return {
    counts,
    frames,
    chat: shown,
    view: screen.getByRole('region', { name: 'Messages' }).element() as HTMLElement,
  }
}

describe('four thousand deltas into a thread of forty messages', () => {
  it('render the list not once, no other message, and the answer at most once a frame', async () => {
    const { counts, frames, chat, view } = await streamed(thread(20))
    const answer = chat.getSnapshot().messages.at(-1)
    expect(answer?.status).toBe('complete')
    expect(answer && textOf(answer).split(' ')).toHaveLength(DELTAS + 1)
    expect(counts.list).toBe(0)
    expect([...counts.messages.keys()]).toEqual([answer?.id])
    // The end of the run is shown at once, whatever the frame.
    expect(counts.messages.get(answer?.id ?? '')).toBeLessThanOrEqual(frames + 1)
    expect(counts.commits).toBeLessThanOrEqual(frames + 1)
    expect(counts.commits).toBeGreaterThan(5)
    expect(view.scrollHeight - view.clientHeight - view.scrollTop).toBe(0)
    console.log(
      `4,000 deltas, 40 messages: ${counts.commits} commits in ${frames} frames, list ${counts.list}, others ${counts.messages.size - 1}`,
    )
  })
})

describe('four thousand deltas into a thread of two thousand messages', () => {
  it('render no other message, and the list only as rows leave the view', async () => {
    const { counts, frames, chat, view } = await streamed(thread(1000))
    expect([...counts.messages.keys()]).toEqual([chat.getSnapshot().messages.at(-1)?.id])
    expect(counts.commits).toBeLessThanOrEqual(frames * 2)
    expect(counts.list).toBeLessThan(20)
    expect(view.querySelectorAll('article').length).toBeLessThan(45)
    expect(view.scrollHeight - view.clientHeight - view.scrollTop).toBe(0)
    console.log(`4,000 deltas, 2,000 messages: ${counts.commits} commits in ${frames} frames, list ${counts.list}`)
  })
})
