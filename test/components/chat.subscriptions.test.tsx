// @vitest-environment jsdom
import { Session } from 'node:inspector/promises'
import { pathToFileURL } from 'node:url'
import { act, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { Chat } from '../../src/components/chat.tsx'
import { createChat } from '../../src/state/chat.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { textOf } from '../../src/state/turn.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import './show.tsx'

// What one more token of an answer costs a whole chat: listeners that are called, readings of the snapshot (one for each selector
// that runs), and source files with a function that runs.

const STREAM = '5b0c7a2e-3d41-4f6b-9a58-0e2f6c1d7b90'
const SRC = `${pathToFileURL('src').href}/`
const EARLIER_MESSAGES = 20
/** Limits that only fall: what a token costs more is noticed here. */
const [MOST_READINGS, MOST_FILES] = [15, 61]

interface Counts {
  readonly listeners: number
  readonly readings: number
}

/** The chat, with every call of a listener and every reading of the snapshot counted. */
function counted(chat: ChatInstance): { readonly chat: ChatInstance; take(): Counts } {
  let [listeners, readings] = [0, 0]
  return {
    chat: {
      ...chat,
      getSnapshot() {
        readings += 1
        return chat.getSnapshot()
      },
      subscribe: (listener) =>
        chat.subscribe(() => {
          listeners += 1
          listener()
        }),
    },
    take() {
      const counts = { listeners, readings }
      listeners = 0
      readings = 0
      return counts
    },
  }
}

/** A whole chat with an answer under way, to which the agent adds a word at each call of `say`. */
async function showAnswering(): Promise<{ take(): Counts; say(word: string): Promise<void> }> {
  const environment = createManualEnvironment()
  let body: ReadableStreamDefaultController<Uint8Array> | undefined
  let seq = 0
  const client = new CapClient({
    baseUrl: 'https://agent.example',
    environment,
    fetch: async () =>
      new Response(new ReadableStream({ start: (controller) => void (body = controller) }), {
        headers: { 'content-type': 'text/event-stream' },
      }),
  })
  const own = createChat({
    client: () => client,
    conversationId: '11111111-1111-4111-8111-111111111111',
    initialMessages: Array.from({ length: EARLIER_MESSAGES }, (_, index) => ({
      id: `old-${index}`,
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      parts: [{ type: 'text' as const, id: 'text-1', text: `Message ${index}.` }],
      status: index % 2 === 0 ? ('sent' as const) : ('complete' as const),
    })),
  })
  const { chat, take } = counted(own)
  render(<Chat chat={chat} title="Rivers" />)
  await act(async () => {
    void chat.sendMessage('Why do rivers bend?')
  })
  await waitFor(() => expect(body).toBeDefined())
  const say = async (word: string): Promise<void> => {
    seq += 1
    const packet = { stream_id: STREAM, seq, op: 'DELTA', t: '2026-03-01T08:15:00Z', p: word }
    await act(async () => {
      body?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(packet)}\n\n`))
      while (!own.getSnapshot().messages.some((message) => textOf(message).endsWith(word))) {
        await new Promise((resolve) => {
          setImmediate(resolve)
        })
        environment.paint()
      }
    })
  }
  onTestFinished(async () => {
    await own.dispose()
  })
  // What the first words of an answer load and mount is not a cost of a token.
  for (const word of ['They ', 'bend ', 'because ']) await say(word)
  take()
  return { take, say }
}

/** Source files of which a function runs during every one of the steps, below src: what a timer runs meanwhile is in none of it. */
async function filesThatRun(steps: readonly (() => Promise<void>)[]): Promise<readonly string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const ran: string[][] = []
  for (const step of steps) {
    await session.post('Profiler.takePreciseCoverage')
    await step()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    ran.push(
      result.flatMap(({ url, functions }) =>
        url.startsWith(SRC) && functions.some(({ ranges }) => ranges.some(({ count }) => count > 0))
          ? [url.slice(SRC.length)]
          : [],
      ),
    )
  }
  await session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  const [first = [], ...others] = ran
  return first.filter((path) => others.every((paths) => paths.includes(path)))
}

describe('a token of an answer in a whole chat', () => {
  it('runs no selector of what it cannot change, however many messages there are', async () => {
    const { take, say } = await showAnswering()
    await say('water ')
    const { listeners, readings } = take()
    expect(screen.getByRole('log').textContent).toContain('They bend because water')
    // The growing message, the slice of all that no token changes, and the pill that tells a silent connection.
    expect(listeners).toBe(3)
    // React reads what a component shows several times, more often in development.
    expect(readings).toBeLessThanOrEqual(MOST_READINGS)
  })

  it('runs through few files besides those of markdown', async () => {
    const { say } = await showAnswering()
    const words = ['water ', 'cuts ', 'into ']
    const files = await filesThatRun(words.map((word) => () => say(word)))
    const own = files.filter((path) => !path.startsWith('markdown/') && !path.startsWith('testing/'))
    expect(own).toContain('state/chat-runs.ts')
    expect(own.length, own.join('\n')).toBeLessThanOrEqual(MOST_FILES)
  })
})
