import { describe, expect, it } from 'vitest'
import { CapClient, createChat, textOf, type ChatMessage } from '../../src/index.ts'
import { chatMessages, createAgentHandler } from '../../src/server.ts'
import { fromAiSdk, type AiSdkEnd } from '../../src/server-models.ts'
import type { FromAiSdkOptions } from '../../src/server/models/from-ai-sdk.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import type { Scenario } from './model-server.ts'
import { scriptedSdk, type ScriptedSdk } from './scripted-result.ts'
import { MAJORS, type Major } from './sdk.ts'
import { eventually } from '../support/eventually.ts'

interface Page {
  readonly chat: ReturnType<typeof createChat>
  readonly sdk: ScriptedSdk
  readonly reported: readonly unknown[]
  readonly ends: readonly AiSdkEnd[]
  /** The last answer. */
  answer(): ChatMessage
}

/** A page, an agent of `fromAiSdk` behind the real handler, and the SDK with a scripted model. */
async function open(
  major: Major,
  signalOf: (signal: AbortSignal) => AbortSignal = (signal) => signal,
  options?: FromAiSdkOptions,
): Promise<Page> {
  const sdk = await scriptedSdk(major)
  const reported: unknown[] = []
  const ends: AiSdkEnd[] = []
  const handler = createAgentHandler({
    agent: async function* (_request, run) {
      const messages = await chatMessages(run)
      const stream = (added: object[]) =>
        sdk.stream(run.text as Scenario, [...messages, ...added], signalOf(run.signal))
      ends.push(yield* fromAiSdk(stream, run, options))
    },
    onError: (error) => reported.push(error),
  })
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    fetch: async (url, init) => handler(new Request(url, init)),
  })
  const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  return {
    chat,
    sdk,
    reported,
    ends,
    answer() {
      const message = chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')
      if (message === undefined) throw new Error('There is no answer.')
      return message
    },
  }
}

describe.each(MAJORS)('fromAiSdk on ai %s', (major) => {
  it('says text, and gives what the model took and said', async () => {
    const { chat, answer, ends } = await open(major)
    await chat.sendMessage('hello')
    expect([answer().status, textOf(answer())]).toEqual(['complete', 'Rivers meander.'])
    expect(ends).toMatchObject([{ usage: { inputTokens: 3, outputTokens: 4 }, messages: [{ role: 'assistant' }] }])
  })

  it('gives the model the files of a message, and the calls of earlier answers', async () => {
    const { chat, answer, sdk, reported } = await open(major)
    const base64 = (text: string): string => Buffer.from(text).toString('base64')
    const picture = { data: base64('a picture'), mimeType: 'image/png', name: 'bend.png' }
    const notes = { data: base64('Gauge 7: 2 m'), mimeType: 'text/plain', name: 'gauges.txt' }
    await chat.sendMessage('look up')
    await chat.sendMessage({ text: 'hello', files: [picture, notes], metadata: { mood: 'calm' } })
    expect([answer().status, textOf(answer())]).toEqual(['complete', 'Rivers meander.'])
    const prompt = sdk.prompts.at(-1) ?? []
    expect(JSON.stringify(prompt)).not.toContain('calm')
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(JSON.stringify(prompt[1])).toContain('"toolName":"search","input":{"q":"rivers"}')
    // What the model reads of bytes differs by major: a string, or tagged.
    const [file, ...texts] = (prompt.at(-1)?.content ?? []) as readonly Readonly<Record<string, unknown>>[]
    expect(file).toMatchObject({ type: 'file', mediaType: 'image/png', filename: 'bend.png' })
    expect(JSON.stringify(file)).toContain(picture.data)
    expect(texts).toMatchObject([{ text: expect.stringContaining('Gauge 7: 2 m') }, { text: 'hello' }])
    expect(reported).toEqual([])
  })

  it('shows reasoning as one thought, and the answer behind it', async () => {
    const { chat, answer } = await open(major)
    await chat.sendMessage('think')
    expect(answer().parts).toMatchObject([
      { type: 'thought', text: 'Bends wander.', status: 'complete' },
      { type: 'text', text: 'They meander.' },
    ])
  })

  it('shows a tool with its input and output, and continues', async () => {
    const { chat, answer, ends } = await open(major)
    await chat.sendMessage('look up')
    // What a later call is told has every step.
    expect(ends[0]?.messages).toMatchObject([{ role: 'assistant' }, { role: 'tool' }, { role: 'assistant' }])
    expect(answer().parts).toMatchObject([
      { type: 'text', text: 'Let me look.' },
      { type: 'tool-call', name: 'search', input: { q: 'rivers' }, output: 6, status: 'complete' },
      { type: 'text', text: 'So be it.' },
    ])
  })

  it('shows sources and files', async () => {
    const { chat, answer } = await open(major)
    await chat.sendMessage('sources')
    expect(answer().parts).toMatchObject([
      { type: 'text' },
      { type: 'citations', citations: [{ uri: 'https://rivers.test/a', title: 'Bends' }] },
    ])
    await chat.sendMessage('files')
    expect(answer().parts[1]).toMatchObject({ type: 'media', items: [{ mimeType: 'image/png' }] })
  })

  it('has no complete answer, and tells only the developer, however the model fails', async () => {
    const failures: readonly (readonly [Scenario, string])[] = [
      ['refuse', ''],
      ['break', 'Half '],
      ['fail', 'Half '],
      ['end early', 'Half '],
      ['too long', 'Too long to'],
      // A tool that nobody carries out: the model waits for its output.
      ['where', ''],
    ]
    for (const [scenario, text] of failures) {
      const { chat, answer, reported } = await open(major)
      await chat.sendMessage(scenario)
      expect([scenario, answer().status, textOf(answer())]).toEqual([scenario, 'failed', text])
      expect(chat.getSnapshot().error?.agentCode, scenario).toBe(
        scenario === 'too long' ? 'model_output_limit' : 'internal_error',
      )
      expect(JSON.stringify(chat.getSnapshot()), scenario).not.toContain('canary')
      expect(reported, scenario).toHaveLength(1)
    }
  })

  it('ends at a limit of steps with its own reason, and keeps what the tools have done', async () => {
    const { chat, answer, sdk } = await open(major)
    await chat.sendMessage('look up forever')
    expect([answer().status, chat.getSnapshot().error?.agentCode]).toEqual(['failed', 'model_step_limit'])
    expect(answer().parts.filter(({ type }) => type === 'tool-call')).toMatchObject(
      Array.from({ length: 5 }, () => ({ name: 'search', output: 6, status: 'complete' })),
    )
    await chat.sendMessage('hello')
    expect([answer().status, sdk.prompts.at(-1)?.filter(({ role }) => role === 'tool').length]).toEqual(['complete', 5])
  })

  it('takes an answer without a finish reason for a whole one only where the app says that its model gives none', async () => {
    const strict = await open(major)
    await strict.chat.sendMessage('no reason')
    expect([strict.answer().status, textOf(strict.answer())]).toEqual(['failed', 'Rivers meander.'])
    const lax = await open(major, undefined, { requireFinishReason: false })
    for (const [scenario, status] of [
      ['no reason', 'complete'],
      ['too long', 'failed'],
      ['where', 'failed'],
      ['break', 'failed'],
    ] as const) {
      await lax.chat.sendMessage(scenario)
      expect([scenario, lax.answer().status]).toEqual([scenario, status])
    }
  })

  it('has no complete answer when the model times out', async () => {
    const limit = new AbortController()
    const { chat, answer, sdk } = await open(major, (signal) => AbortSignal.any([signal, limit.signal]))
    const ended = chat.sendMessage('hang')
    await eventually(() => expect(textOf(answer())).toBe('Half '))
    limit.abort(new DOMException('The time is over.', 'TimeoutError'))
    await ended
    expect([answer().status, textOf(answer())]).toEqual(['failed', 'Half '])
    expect(sdk.aborted).toBe(1)
  })

  it('stops the call of the model when the user cancels', async () => {
    const { chat, answer, sdk } = await open(major)
    void chat.sendMessage('hang')
    await eventually(() => expect(textOf(answer())).toBe('Half '))
    expect(sdk.aborted).toBe(0)
    expect(await chat.stop()).toBe('cancelled')
    expect([answer().status, answer().stop, sdk.aborted]).toEqual(['stopped', 'cancelled', 1])
  })
})

describe.each([6, 7] as const)('a tool that needs approval on ai %s', (major) => {
  it.each([
    ['allow-once', 1, 'complete'],
    ['reject-once', 0, 'denied'],
  ] as const)(
    'is asked for by the return path, and done as often as it was allowed: %s',
    async (option, times, status) => {
      const { chat, answer, sdk } = await open(major)
      const done = chat.sendMessage('ask')
      const prompt = () => promptsOf(answer())[0]
      await eventually(() => expect(prompt()?.state).toBe('open'))
      expect(prompt()?.subject).toMatchObject({ name: 'send_email', input: { to: 'ann@example.com' } })
      expect(sdk.mails).toEqual([])
      const call = () => answer().parts.find(({ type }) => type === 'tool-call')
      expect(call()).toMatchObject({ name: 'send_email', status: 'waiting' })
      await chat.answer(prompt()?.id ?? '', { type: 'option', optionId: option, digest: prompt()?.subject?.digest })
      await done
      expect(sdk.mails).toHaveLength(times)
      expect([answer().status, textOf(answer())]).toEqual(['complete', 'So be it.'])
      expect(call()).toMatchObject({ name: 'send_email', status })
    },
  )

  it('fails where there is no function to continue with, and is not done', async () => {
    const sdk = await scriptedSdk(major)
    const run = { uuid: () => crypto.randomUUID(), signal: AbortSignal.any([]), sleep: async () => {} }
    const ask = () => Promise.reject(new Error('never asked'))
    const said = fromAiSdk(sdk.stream('ask', [{ role: 'user', content: 'ask' }], run.signal), { ...run, ask })
    await expect(async () => {
      for await (const _ of said);
    }).rejects.toThrow(/needs approval/)
    expect(sdk.mails).toEqual([])
  })
})
