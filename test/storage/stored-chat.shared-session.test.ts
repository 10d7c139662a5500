import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ArcpClient, toolClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import type { ChatMessage } from '../../src/state/turn.ts'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import type { MemoryRuntime, RuntimeJob } from '../support/arcp-memory-runtime.ts'
import { createMemoryRuntime } from '../support/arcp-memory-runtime.ts'
import type { FakeBrowser, FakeTab } from './fake-tabs.ts'
import { createFakeBrowser, rest } from './fake-tabs.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

let browser: FakeBrowser
let runtime: MemoryRuntime

/** A page: a tab of the browser with its own client, whose session the saved chat shares with all else of the page. */
interface Page {
  readonly tab: FakeTab
  readonly arcp: ArcpClient
  readonly chat: ChatInstance
}

beforeEach(() => {
  browser = createFakeBrowser()
  runtime = createMemoryRuntime()
})

function openPage(): Page {
  const { environment } = browser
  const tab = browser.openTab()
  const arcp = new ArcpClient({ transport: runtime.transport, environment })
  const client = toolClient(arcp, { tool: 'assistant', toArguments: ({ text }) => ({ question: text }) })
  const chat = tab.store.open({ conversationId: 'saved', client: () => client, callbacks: () => ({}) })
  void chat.resume()
  onTestFinished(() => {
    void chat.dispose()
    arcp.close()
  })
  return { tab, arcp, chat }
}

/** All that is under way comes to rest and is painted. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await rest()
    browser.environment.paint()
  }
}

function job(): RuntimeJob {
  const found = runtime.jobs.get('job_1')
  if (found === undefined) throw new Error('No job was invoked.')
  return found
}

const answerOf = ({ chat }: Page): ChatMessage | undefined =>
  chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')

describe('a saved chat with a client that shares one session', () => {
  it('has its run on that session, beside the others', async () => {
    const page = openPage()
    await settle()
    const other = page.arcp.invoke('other')
    void page.chat.sendMessage('Why?')
    await settle()
    expect(runtime.of('tool.invoke').map(({ payload }) => payload['tool'])).toEqual(['other', 'assistant'])
    expect(runtime.sockets).toBe(1)
    runtime.jobs.get('job_2')?.say('Because.')
    runtime.jobs.get('job_2')?.end()
    job().end('done')
    await settle()
    expect(answerOf(page)).toMatchObject({ status: 'complete', parts: [{ type: 'text', text: 'Because.' }] })
    expect(await other.result).toEqual({ value: 'done' })
  })

  it('shows the connection of that session while it is cut', async () => {
    const page = openPage()
    await settle()
    void page.chat.sendMessage('Why?')
    await settle()
    expect(page.chat.getSnapshot().connection.phase).toBe('streaming')
    runtime.refuse = 1
    runtime.cut()
    await settle()
    expect(page.chat.getSnapshot().connection).toMatchObject({ phase: 'waiting', attempt: 1 })
    expect(page.arcp.connection).toMatchObject({ phase: 'waiting', attempt: 1 })
  })

  it('reads its job on after a reload, and invokes it once', async () => {
    const first = openPage()
    await settle()
    void first.chat.sendMessage('Why?')
    await settle()
    job().say('Because ')
    await settle()
    await browser.environment.clock.advance(1000)
    await settle()
    await first.tab.close()
    first.arcp.close()
    job().say('water ')
    const second = openPage()
    await settle()
    job().say('erodes.')
    job().end()
    await settle()
    expect(answerOf(second)).toMatchObject({ status: 'complete', parts: [{ text: 'Because water erodes.' }] })
    expect(runtime.of('tool.invoke')).toHaveLength(1)
    expect(runtime.mostOpen).toBe(1)
  })
})
