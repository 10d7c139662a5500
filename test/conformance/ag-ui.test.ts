import { describe, expect, it } from 'vitest'
import { AgUiClient } from '../../src/ag-ui.ts'
import type { AgUiMessage } from '../../src/ag-ui.ts'
import type { AgUiHandle } from '../../src/protocols/ag-ui/handle.ts'
import type { AgUiRequest } from '../../src/protocols/ag-ui/request.ts'
import { contentText } from '../../src/protocols/ag-ui/messages.ts'
import type { JsonObject } from '../../src/base/json-object.ts'
import type { AgentEvent } from '../../src/index.ts'
import type { Ending } from '../../src/session/connection.ts'
import type { ResumePoint } from '../../src/session/resume-point.ts'
import { createSession } from '../../src/index.ts'
import { loadConformance } from './conformance-data.ts'

/** A message, in the words of the file. */
interface ShownMessage {
  readonly id: string
  readonly role: string
  readonly text?: string
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly args: string }[]
  readonly [key: string]: unknown
}

interface Verdict {
  readonly ending: 'finished' | 'interrupted' | 'failed'
  readonly outcome?: string
  readonly cause?: string
  readonly error?: string
  readonly code?: string
  readonly rejected?: readonly number[]
  readonly events?: {
    readonly accepted: number
    readonly rejected: readonly (number | string)[]
    readonly ignored: readonly (number | string)[]
  }
  readonly messages?: readonly ShownMessage[]
  readonly prompts?: readonly JsonObject[]
  readonly pendingTools?: readonly string[]
  readonly state?: unknown
}

interface Entry {
  readonly name: string
  readonly frames: string
  readonly then?: string
  readonly eof?: 'reset'
  readonly http?: { readonly status: number; readonly contentType: string }
  readonly input?: {
    readonly messages?: readonly AgUiMessage[]
    readonly state?: unknown
    readonly tools?: readonly string[]
  }
  readonly minted?: boolean
  readonly expect: Verdict
  readonly strict?: Partial<Verdict>
  readonly differs?: readonly string[]
  readonly note?: string
}

interface Played extends Verdict {
  readonly requests: readonly string[]
  /** Text that was told, by the part it belongs to. */
  readonly shown: ReadonlyMap<string, string>
  readonly shownState: { readonly state: unknown } | undefined
}

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

/** Plays an entry through the whole client and its session. @param size bytes of each piece of a body */
async function play(entry: Entry, size: number, mode: 'tolerant' | 'strict' = 'tolerant'): Promise<Played> {
  const { frames, then, eof, http = { status: 200, contentType: 'text/event-stream' }, input = {} } = entry
  const requests: string[] = []
  /** Ordinals of the frames that were left out, and how many were told about. */
  const ignored: number[] = []
  let told = 0
  const client = new AgUiClient({
    url: 'https://app.test/agent',
    mode,
    tools: Object.fromEntries((input.tools ?? []).map((name) => [name, { description: name }])),
    retry: { maxAttempts: 1, delayMs: () => 0 },
    fetch: async (url, { method = 'GET' }) => {
      requests.push(`${method} ${new URL(url).pathname}${new URL(url).search}`)
      const headers = { 'content-type': method === 'POST' ? http.contentType : 'text/event-stream' }
      if (method === 'POST')
        return new Response(bodyOf(frames, size, eof === 'reset'), { status: http.status, headers })
      return then === undefined
        ? new Response(null, { status: 405 })
        : new Response(bodyOf(then, size, false), { headers })
    },
    observer(observation) {
      if (observation.type !== 'batch') return
      for (const { event, events = [], source } of observation.batch.deliveries) {
        const all = event === undefined ? events : [event]
        const isSkipped = all.some(({ type }) => type === 'diagnostic')
        if (isSkipped) ignored.push(told)
        // What ends the run is not a frame.
        if (isSkipped || source !== undefined) told += 1
      }
    },
  })
  const base = input.messages ?? []
  const request: AgUiRequest = {
    answered: {},
    results: 0,
    body: {
      threadId: 't',
      runId: 'r',
      protocolVersion: '1.0',
      messages: base,
      state: input.state ?? {},
      tools: (input.tools ?? []).map((name) => ({ name, description: name })),
      context: [],
      forwardedProps: {},
    },
  }
  const resumePoint: ResumePoint = { streams: new Map(), attempts: 0 }
  const events: AgentEvent[] = []
  const ending = await new Promise<Ending>((resolve) => {
    createSession({
      client,
      request,
      requestId: 'r',
      resumePoint,
      onEvents: (more) => void events.push(...more.map(({ event }) => event)),
      onEnded: resolve,
    }).start()
  })
  // The handle is that of this protocol, which gave it.
  const handle = resumePoint.handle as AgUiHandle | undefined
  const messages = handle?.isWhole === true ? handle.messages : [...base, ...(handle?.messages ?? [])]
  const prompts = events.flatMap((event) => (event.type === 'prompt' ? [event.prompt] : []))
  const interrupts = (handle?.interrupts ?? []).filter(({ id }) => {
    const prompt = prompts.find((each) => each.id === `r/${id}`)
    return (
      prompt !== undefined &&
      (mode === 'strict' ||
        handle?.interrupts?.find((each) => each.id === id)?.reason !== 'tanstack:client_tool_execution')
    )
  })
  return {
    ...verdictOf(ending, interrupts.length > 0),
    events: {
      accepted: told - ignored.length,
      rejected: ending.type === 'failed' && ending.error.kind === 'protocol' && told < framesIn(frames) ? [told] : [],
      ignored,
    },
    messages: messages.map(shownMessage),
    ...(handle !== undefined && 'state' in handle && { state: handle.state }),
    shownState: events
      .flatMap((event) => (event.type === 'part' && event.part.type === 'state' ? [event.part] : []))
      .at(-1),
    prompts: interrupts.map(({ id, reason, message, toolCallId, expiresAt, subagentRunId, responseSchema, via }) => ({
      id,
      reason,
      ...(message !== undefined && { message }),
      ...(toolCallId !== undefined && { toolCallId }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(subagentRunId !== undefined && { subagentRunId }),
      schema: responseSchema !== undefined,
      via: via === 'command' ? 'on_interrupt' : 'outcome',
    })),
    pendingTools: [...shownCalls(events)].flatMap(([id, status]) =>
      status === 'waiting' && !interrupts.some(({ toolCallId }) => toolCallId === id) ? [id] : [],
    ),
    requests,
    shown: shownTexts(events),
  }
}

function framesIn(frames: string): number {
  return frames.split(/(?:\r\n|\n|\r){2}/).filter((frame) => frame.includes('data:')).length
}

function verdictOf(ending: Ending, isAsked: boolean): Verdict {
  if (ending.type === 'finished') {
    const outcome = ending.outcome === 'cancelled' ? 'cancelled' : isAsked ? 'interrupt' : 'success'
    return { ending: 'finished', outcome }
  }
  if (ending.type === 'stopped') return { ending: 'failed', cause: 'stopped' }
  const { kind, code, message, agentCode, status } = ending.error
  // A connection that broke, and cannot be resumed, is told as what happened to it.
  if (kind === 'connection') return { ending: 'interrupted', cause: code === 'network_error' ? 'truncated' : code }
  if (code === 'agent_error')
    return { ending: 'failed', cause: 'run_error', error: message, ...(agentCode !== undefined && { code: agentCode }) }
  return { ending: 'failed', cause: status === undefined ? 'protocol' : 'http', ...(status !== undefined && { code }) }
}

function shownMessage({ id, role, content, toolCalls, ...rest }: AgUiMessage): ShownMessage {
  const calls = toolCalls?.map((call) => ({ id: call.id, name: call.function.name, args: call.function.arguments }))
  const said =
    role === 'activity'
      ? { content }
      : Array.isArray(content)
        ? { parts: content as unknown }
        : content === undefined
          ? {}
          : { text: contentText(content) }
  return { id, role, ...said, ...(calls && { toolCalls: calls }), ...rest }
}

function shownTexts(events: readonly AgentEvent[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>()
  for (const event of events)
    if (event.type === 'text') texts.set(event.partId ?? '', (texts.get(event.partId ?? '') ?? '') + event.text)
  return texts
}

function shownCalls(events: readonly AgentEvent[]): Map<string, string> {
  return new Map(
    events.flatMap((event) =>
      event.type === 'part' && event.part.type === 'tool-call' ? [[event.partId, event.part.status] as const] : [],
    ),
  )
}

/** Frames of the second body are counted on. */
function flat(indexes: readonly (number | string)[], frames: string): number[] {
  return indexes.map((index) => (typeof index === 'number' ? index : framesIn(frames) + Number(index.split('/')[1])))
}

/** Where this reader differs on purpose, by the name of an entry, with what it says instead. */
const DIVERGENCES: Readonly<Record<string, { readonly why: string; readonly expect: Partial<Verdict> }>> = {}

const data = loadConformance<{ readonly entries: readonly Entry[] }>('ag-ui.json')
const entries = data?.entries ?? []

/** What is undefined is not looked at. */
type Expected = { readonly [Key in keyof Verdict]: Verdict[Key] | undefined }

function check(entry: Entry, played: Played, expected: Expected): void {
  expect(played.ending).toBe(expected.ending)
  if (expected.outcome !== undefined) expect(played.outcome).toBe(expected.outcome)
  if (expected.cause !== undefined) expect(played.cause).toBe(expected.cause)
  if (expected.error !== undefined) expect(played.error).toBe(expected.error)
  if (expected.code !== undefined) expect(played.code).toBe(expected.code)
  const anyId = (message: ShownMessage): ShownMessage =>
    entry.minted === true && message.role === 'reasoning' ? { ...message, id: 'minted' } : message
  expect(played.messages?.map(anyId)).toEqual(expected.messages?.map(anyId))
  if (expected.state !== undefined) expect(played.state).toEqual(expected.state)
  // What the page shows of the state is what the next run sends back.
  if (played.shownState !== undefined) expect(played.shownState.state).toEqual(expected.state)
  expect(played.prompts).toEqual(
    expected.prompts?.map((prompt) =>
      prompt['via'] === 'RUN_FINISHED.interrupt' ? { ...prompt, via: 'outcome' } : prompt,
    ),
  )
  expect(played.pendingTools).toEqual(expected.pendingTools ?? [])
}

describe.skipIf(data === undefined)('the streams of ag-ui.json', () => {
  it('are all there', () => {
    expect(entries).toHaveLength(117)
    expect(Object.keys(DIVERGENCES).filter((name) => !entries.some((entry) => entry.name === name))).toEqual([])
  })

  describe.each([
    ['whole', 1_000_000],
    ['in pieces of 1 byte', 1],
    ['in pieces of 7 bytes', 7],
  ])('%s', (_title, size) => {
    it.each(entries.map((entry) => [entry.name, entry] as const))('%s', async (name, entry) => {
      const played = await play(entry, size)
      const expected = { ...entry.expect, ...DIVERGENCES[name]?.expect }
      check(entry, played, expected)
      const { accepted = 0, rejected = [], ignored = [] } = expected.events ?? {}
      expect(played.events).toEqual({
        accepted,
        rejected: flat(rejected, entry.frames),
        ignored: flat(ignored, entry.frames),
      })
      // What the page shows is what the thread says, message by message.
      for (const { id, role, text = '', subagentRunId } of played.messages ?? [])
        if (role === 'assistant' && text !== '' && subagentRunId === undefined && played.shown.has(id))
          expect(played.shown.get(id)?.trimStart()).toBe(text.trimStart())
    })
  })

  it.each(entries.map((entry) => [entry.name, entry] as const))('%s, by the letter of 1.0', async (_name, entry) => {
    const played = await play(entry, 1_000_000, 'strict')
    const { rejected, ...strict } = entry.strict ?? {}
    const expected = {
      ...entry.expect,
      ...(strict.ending === 'failed' && {
        outcome: undefined,
        error: undefined,
        state: undefined,
        pendingTools: played.pendingTools,
      }),
      ...strict,
    }
    check(entry, played, strict.outcome === 'interrupt' ? { ...expected, pendingTools: [] } : expected)
    if (rejected !== undefined) expect(played.events?.rejected).toEqual(rejected)
  })
})

const wrong = entries.filter(({ differs }) => differs !== undefined)

describe.skipIf(data === undefined)('where the official reader is wrong', () => {
  it('has 30 entries', () => {
    expect(wrong).toHaveLength(30)
  })

  it.each(wrong.map((entry) => [entry.name, entry.note ?? 'it rejects', entry] as const))(
    '%s: %s',
    async (_name, _note, entry) => {
      const played = await play(entry, 1_000_000)
      check(entry, played, entry.expect)
      // Nothing is posted twice, whatever the answer is.
      expect(played.requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
    },
  )
})
