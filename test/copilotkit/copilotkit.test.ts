import { describe, expect, it } from 'vitest'
import { textOf } from '../../src/index.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { serveCapstan, type CapstanServer } from '../ag-ui/capstan-server.ts'
import { LONG } from '../ag-ui/script.ts'
import { serveProxy } from '../server/serve-proxy.ts'
import { PATIENTLY } from '../server/serve-wire.ts'
import { agUiChatAt } from '../support/ag-ui-chat-at.ts'
import { answerOf, promptOf } from '../support/answer-of.ts'
import { cutEvery, recordAnswer } from '../support/cut-posts.ts'
import { serveCopilotKit } from './copilotkit-server.ts'

// A page of capstan, CopilotKit's runtime, and an agent of capstan behind it; with and without the proxy before the runtime.

interface Opened {
  readonly server: CapstanServer
  readonly url: string
  readonly stopUrl: (threadId: string) => string
}

async function open(isProxied: boolean, pause?: Promise<void>): Promise<Opened> {
  const server = await serveCapstan({ ...(pause && { pause }) })
  const runtime = await serveCopilotKit(server.url)
  if (!isProxied) return { server, ...runtime }
  const { origin } = await serveProxy(runtime.url, { wire: 'ag-ui' })
  return { server, url: `${origin}/api/agent`, stopUrl: () => `${origin}/api/agent/stop` }
}

describe.each([
  ['without a proxy', false],
  ['behind the proxy', true],
])("CopilotKit's runtime %s", (_name, isProxied) => {
  it.each([
    ['hello', 'Rivers meander.'],
    ['think', 'Rivers meander.'],
    ['look up', 'So: 3 hits for rivers'],
    ['long', LONG.join('')],
  ] as const)('answers "%s" in full', async (scenario, text) => {
    const { server, url } = await open(isProxied)
    const chat = agUiChatAt(url)
    await chat.sendMessage(scenario)
    expect(chat.getSnapshot().error).toBeUndefined()
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', text])
    expect(server.seen).toHaveLength(1)
    await chat.dispose()
  })

  it('passes on thoughts and a tool, and continues', async () => {
    const { url } = await open(isProxied)
    const chat = agUiChatAt(url)
    await chat.sendMessage('think')
    expect(answerOf(chat).parts).toContainEqual(
      expect.objectContaining({ type: 'thought', text: 'Bends wander.', status: 'complete' }),
    )
    await chat.sendMessage('look up')
    const call = { type: 'tool-call', name: 'search', input: { q: 'rivers' }, status: 'complete' }
    expect(answerOf(chat).parts).toContainEqual(expect.objectContaining(call))
    await chat.dispose()
  })

  it.each([
    ['allowed', 'allow', 'complete', 'So: sent to ann@example.com', 1],
    ['refused', 'deny', 'denied', 'So: not sent', 0],
  ] as const)('brings back consent: a tool is %s', async (_said, optionId, status, text, sent) => {
    const { server, url } = await open(isProxied)
    const chat = agUiChatAt(url)
    await chat.sendMessage('ask')
    const prompt = promptOf(chat)
    expect([prompt.kind, server.mails]).toEqual(['approval', []])
    await chat.answer(prompt.id, { type: 'option', optionId, digest: prompt.subject?.digest })
    await expect.poll(() => chat.getSnapshot().status, PATIENTLY).toBe('ready')
    expect(textOf(answerOf(chat))).toBe(text)
    expect(answerOf(chat).parts[0]).toMatchObject({ type: 'tool-call', name: 'send_email', status })
    expect([server.mails.length, server.seen.length]).toEqual([sent, 2])
    await chat.dispose()
  })

  it('brings back what a form asks for', async () => {
    const { url } = await open(isProxied)
    const chat = agUiChatAt(url)
    await chat.sendMessage('where')
    await chat.answer(promptOf(chat).id, { type: 'value', value: { city: 'Ulm' } })
    await expect.poll(() => chat.getSnapshot().status, PATIENTLY).toBe('ready')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'So: {"city":"Ulm"}'])
    await chat.dispose()
  })

  it('has a failed answer when the agent fails, and continues', async () => {
    const { url } = await open(isProxied)
    const chat = agUiChatAt(url)
    await chat.sendMessage('fail')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['failed', 'Rivers '])
    expect(chat.getSnapshot().error).toMatchObject({ code: 'agent_error' })
    await chat.sendMessage('hello')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'Rivers meander.'])
    await chat.dispose()
  })

  it('stops a run at its address for that', async () => {
    let goOn = (): void => {}
    const pause = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const { server, url, stopUrl } = await open(isProxied, pause)
    const chat = agUiChatAt(url, { stopUrl: ({ threadId }) => stopUrl(threadId) })
    void chat.sendMessage('hello')
    await expect.poll(() => chat.getSnapshot().messages.at(-1)?.parts.length, PATIENTLY).toBe(1)
    expect(await chat.stop()).toBe('cancelled')
    expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['stopped', 'Rivers '])
    goOn()
    await server.rest()
    await chat.dispose()
  })
})

describe("an answer of CopilotKit's runtime that is cut at every seventh byte", () => {
  async function say(url: string, fetch: Fetch): Promise<CapturableChat> {
    const chat = agUiChatAt(url, { fetch })
    await chat.sendMessage('long')
    await chat.dispose()
    return chat
  }

  it('is never complete without the proxy, and exact behind it, with one POST', { timeout: 300_000 }, async () => {
    for (const isProxied of [false, true]) {
      const { server, url } = await open(isProxied)
      const length = Buffer.byteLength(await recordAnswer((through) => say(url, through)))
      expect(length).toBeGreaterThan(2000)
      // Behind the frame that ends the run nothing is left of it.
      const { cuts } = await cutEvery({ length: length - 200, step: 7 }, async (through, at) => {
        const answer = (await say(url, through)).getSnapshot().messages.at(-1)
        const seen = [at, answer?.status === 'complete', answer && textOf(answer) === LONG.join('')]
        if (isProxied) expect(seen).toEqual([at, true, true])
        else expect(seen.slice(0, 2)).toEqual([at, false])
      })
      expect(server.seen).toHaveLength(cuts + 1)
    }
  })
})
