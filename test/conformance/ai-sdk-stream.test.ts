import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json-object.ts'
import type { UiMessage, UiPart } from '../../src/ai-sdk.ts'
import type { AiSdkHandle } from '../../src/protocols/ai-sdk/handle.ts'
import type { Fetch } from '../../src/wire/fetch-transport.ts'
import { AiSdkClient, textStreamFetch } from '../../src/ai-sdk.ts'
import type { AgentEvent, HistoryMessage } from '../../src/index.ts'
import type { Ending } from '../../src/session/connection.ts'
import type { ResumePoint } from '../../src/session/resume-point.ts'
import { createSession } from '../../src/index.ts'
import { loadConformance } from './conformance-data.ts'

interface Entry {
  readonly name: string
  readonly why: string
  readonly frames?: string
  readonly cut?: 'reset'
  readonly history?: readonly UiMessage[]
  readonly response?: { readonly contentType: string; readonly headers: Readonly<Record<string, string>> }
  readonly resume?: { readonly status: number; readonly frames?: string }
  readonly transport?: 'text'
  readonly expect: {
    readonly ending: Verdict
    readonly strict?: Verdict
    readonly finishReason?: string
    readonly messageId?: string
    readonly metadata?: unknown
    readonly parts: readonly UiPart[]
    readonly texts?: readonly (readonly [string, string])[]
    readonly tools?: readonly (readonly [string, string, string])[]
    readonly protocolError?: boolean
    readonly unknown?: readonly string[]
    readonly assistantMessages?: number
  }
  readonly readers: Readonly<Record<string, { readonly status: string }>>
  readonly wrong?: Readonly<Record<string, string>>
}

type Verdict = 'finished' | 'interrupted' | 'failed' | 'aborted'

/** What a run of an entry came to. */
interface Played {
  readonly ending: Verdict
  readonly error?: { readonly kind: string; readonly code: string } | undefined
  readonly response: JsonObject
  readonly message: UiMessage | undefined
  readonly events: readonly AgentEvent[]
  readonly requests: readonly string[]
}

const CHAT = 'chat-1'

function bodyOf(frames: string, size: number, isReset: boolean): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(frames)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += size)))
      else if (isReset) controller.error(new TypeError('network error'))
      else controller.close()
    },
  })
}

function historyOf(message: UiMessage): HistoryMessage {
  const { id, role, parts } = message
  if (role === 'assistant') return { id, role, parts: [], handle: { chatId: CHAT, message } satisfies AiSdkHandle }
  return { id, role, parts: parts.map(({ text = '' }, index) => ({ type: 'text', id: String(index), text })) }
}

/** Plays an entry through the whole client and its session. @param size bytes of each piece of a body */
async function play(entry: Entry, size: number, mode: 'tolerant' | 'strict' = 'tolerant'): Promise<Played> {
  const { frames, cut, history = [], response, resume, transport } = entry
  const requests: string[] = []
  const type = { 'content-type': response?.contentType ?? (transport === 'text' ? 'text/plain' : 'text/event-stream') }
  const client = new AiSdkClient({
    api: 'https://app.test/api/chat',
    mode,
    resumeUrl: transport === 'text' ? false : undefined,
    retry: { maxAttempts: 1, delayMs: () => 0 },
    fetch: (transport === 'text' ? textStreamFetch : (own: Fetch) => own)(async (url, { method = 'GET' }) => {
      requests.push(`${method} ${new URL(url).pathname}`)
      if (method === 'POST')
        return new Response(bodyOf(frames ?? '', size, cut === 'reset'), { headers: { ...type, ...response?.headers } })
      const { status, frames: again = '' } = resume ?? { status: 204 }
      return status === 204
        ? new Response(null, { status })
        : new Response(bodyOf(again, size, false), { status, headers: { 'content-type': 'text/event-stream' } })
    }),
  })
  // With a resume alone, the last message is the half answer that another page has stored.
  const stored = frames === undefined && history.at(-1)?.role === 'assistant' ? history.at(-1) : undefined
  const known = (stored === undefined ? history : history.slice(0, -1)).map(historyOf)
  const isContinuation = stored === undefined && known.at(-1)?.role === 'assistant'
  const isAsked = known.at(-1)?.role === 'user'
  const request = await client.createRequest({
    text: isContinuation ? '' : 'q',
    conversationId: CHAT,
    requestId: 'r1',
    history: known,
    isRegeneration: isAsked,
  })
  const resumePoint: ResumePoint = {
    streams: new Map(),
    attempts: frames === undefined ? 1 : 0,
    restored: frames === undefined,
    handle: stored && { chatId: CHAT, message: stored },
  }
  const events: AgentEvent[] = []
  const ending = await new Promise<Ending>((resolve) => {
    createSession({
      client,
      request,
      requestId: 'r1',
      resumePoint,
      onEvents: (more) => void events.push(...more.map(({ event }) => event)),
      onEnded: resolve,
    }).start()
  })
  // The handle is that of this protocol, which gave it.
  const handle = resumePoint.handle as AiSdkHandle | undefined
  const error = ending.type === 'failed' ? { kind: ending.error.kind, code: ending.error.code } : undefined
  const answer = ending.type === 'finished' ? (ending.response as JsonObject | undefined) : undefined
  return { ending: verdictOf(ending), error, response: answer ?? {}, message: handle?.message, events, requests }
}

function verdictOf(ending: Ending): Verdict {
  if (ending.type === 'finished') return ending.outcome === 'cancelled' ? 'aborted' : 'finished'
  return ending.type === 'failed' && ending.error.kind !== 'connection' ? 'failed' : 'interrupted'
}

/** As JSON, so that absent and undefined are the same. A reasoning part has no id here; see the divergences. */
function plain(parts: readonly UiPart[]): unknown {
  const withoutId = parts.map((part) => (part.type === 'reasoning' ? { ...part, id: undefined } : part))
  return JSON.parse(JSON.stringify(withoutId))
}

/** All text that was told, by its parts in their order. */
function shownTexts(events: readonly AgentEvent[]): string {
  let texts = new Map<string, string>()
  for (const event of events) {
    if (event.type === 'text') texts.set(event.partId ?? '', `${texts.get(event.partId ?? '') ?? ''}${event.text}`)
    if (event.type === 'snapshot')
      texts = new Map(event.parts.flatMap(({ partId, part }) => (part.type === 'text' ? [[partId, part.text]] : [])))
  }
  return [...texts.values()].join('')
}

function shownCalls(events: readonly AgentEvent[]): Map<string, string> {
  return new Map(
    events.flatMap((event) =>
      event.type === 'part' && event.part.type === 'tool-call' ? [[event.partId, event.part.status] as const] : [],
    ),
  )
}

/**
 * Where this reader differs on purpose: by rule for every entry, or by the name of an entry with what it expects instead.
 *
 * - A reasoning part has no `id`: it is new in the official readers, nothing needs it, and a server of Pydantic AI refuses every later
 *   turn of a conversation that has one.
 */
const DIVERGENCES: Readonly<Record<string, { readonly why: string; readonly parts: readonly UiPart[] }>> = {
  'end-abort-then-finish': {
    why: 'An abort ends the run, so the end of the text behind it is not read. It is closed when it is sent back.',
    parts: [{ type: 'step-start' }, { type: 'text', text: 'Half ', state: 'streaming' }],
  },
  'plain-text-empty': {
    why: 'A text without a word is no part.',
    parts: [{ type: 'step-start' }],
  },
}

const data = loadConformance<{ readonly entries: readonly Entry[] }>('ai-sdk-stream.json')
const entries = data?.entries ?? []

describe.skipIf(data === undefined)('the streams of ai-sdk-stream.json', () => {
  it('are all there', () => {
    expect(entries).toHaveLength(124)
    expect(Object.keys(DIVERGENCES).filter((name) => !entries.some((entry) => entry.name === name))).toEqual([])
  })

  describe.each([
    ['whole', 1_000_000],
    ['in pieces of 1 byte', 1],
    ['in pieces of 7 bytes', 7],
  ])('%s', (_title, size) => {
    it.each(entries.map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
      const { ending, error, response, message, events } = await play(entry, size)
      const expected = entry.expect
      expect(ending).toBe(expected.ending)
      expect(plain(message?.parts ?? [])).toEqual(plain(DIVERGENCES[name]?.parts ?? expected.parts))
      if (expected.messageId !== undefined) expect(message?.id).toBe(expected.messageId)
      if (expected.metadata !== undefined) expect(message?.metadata).toEqual(expected.metadata)
      if (expected.finishReason !== undefined && ending === 'finished')
        expect(response['finishReason']).toBe(expected.finishReason)
      if (expected.protocolError === true) expect(error?.kind).toBe('protocol')
      // What the page shows is the message: each text by its deltas, and the last state of each call.
      const own = (message?.parts ?? []).slice(
        entry.history?.at(-1)?.role === 'assistant' ? entry.history.at(-1)?.parts.length : 0,
      )
      const isStored = entry.frames === undefined
      if (!isStored) {
        expect(shownTexts(events)).toBe(own.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join(''))
        const calls = own.filter(({ toolCallId }) => toolCallId !== undefined)
        expect([...shownCalls(events).values()].length).toBeGreaterThanOrEqual(calls.length)
      }
      const unknown = events.flatMap((event) =>
        event.type === 'part' && event.part.type === 'unknown' ? [event.part.name] : [],
      )
      for (const type of expected.unknown ?? []) expect(unknown).toContain(type)
    })
  })

  it.each(entries.map((entry) => [entry.name, entry] as const))('%s, where only finish is an end', async (_, entry) => {
    const { ending } = await play(entry, 1_000_000, 'strict')
    expect(ending).toBe(entry.expect.strict ?? entry.expect.ending)
  })
})

const wrong = entries.filter((entry) => entry.wrong !== undefined)

describe.skipIf(data === undefined)('where the official reader is wrong', () => {
  it('has 19 entries', () => {
    expect(wrong).toHaveLength(19)
  })

  it.each(wrong.map((entry) => [entry.name, entry.why, entry] as const))('%s: %s', async (_name, _why, entry) => {
    const { ending, message, requests } = await play(entry, 1_000_000)
    expect(ending).toBe(entry.expect.ending)
    // useChat says `ready` for each of them: here none is complete that was cut, failed or aborted, and no text is there twice.
    const readers = Object.keys(entry.wrong ?? {})
    expect(readers.some((reader) => ['ready', 'error'].includes(entry.readers[reader]?.status ?? 'ready'))).toBe(true)
    const texts = (message?.parts ?? []).flatMap(({ type, text }) => (type === 'text' ? [text] : []))
    const expected = entry.expect.parts.flatMap(({ type, text }) => (type === 'text' ? [text] : []))
    expect(texts.filter((text) => text !== '')).toEqual(expected.filter((text) => text !== ''))
    expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(entry.frames === undefined ? 0 : 1)
  })
})
