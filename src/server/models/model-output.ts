import { NOT_ALLOWED } from '../../base/tool-failures.ts'
import { event, type EventOutput, type PresentationData, type AgentOutput } from '../run/agent-output.ts'
import type { AgentRun } from '../run/agent.ts'
import { isJsonObject } from '../../base/json-object.ts'

/** What a model helper needs of the run. */
export type ModelRun = Pick<AgentRun, 'uuid' | 'ask' | 'signal' | 'sleep'> &
  Partial<Pick<AgentRun, 'remember' | 'report'>>

/** A source as models name them. */
export interface ModelSource {
  /** Absolute URL. */
  readonly url: string
  readonly title?: string | undefined
  readonly snippet?: string | undefined
}

/** Makes events of what a model says beside its text. One for each answer. */
export interface ModelOutput {
  /** More of a thought. Undefined while too little came to show it again. */
  think(key: string, delta: string): EventOutput | undefined
  /** The thought is whole. Undefined for one that says nothing. */
  thought(key: string): EventOutput | undefined
  /** A call of a tool; the same `callId` replaces it until it has ended. */
  tool(callId: string, data: PresentationData['TOOL_CALL']): EventOutput
  /** The id of the event of a call. */
  eventId(callId: string): string
  /** All sources so far. Undefined for one that is known, or has no address. */
  source(source: ModelSource): EventOutput | undefined
  file(mediaType: string, url: string): EventOutput
}

/** How a call ends that the user did not allow. */
export const DENIED = { error: NOT_ALLOWED, status: 'denied' } as const

/** A thought is shown again when it has grown by this share: all versions together take a few times what the whole takes. */
const GROWTH = 1.3

const LEAST_GROWTH = 40

export function createModelOutput({ uuid }: Pick<AgentRun, 'uuid'>): ModelOutput {
  const thoughts = new Map<string, { readonly id: string; text: string; shown: number }>()
  const calls = new Map<string, { readonly id: string; ended: boolean; name: string; input: unknown }>()
  const sources = new Map<string, object>()
  const sourcesId = uuid()

  const callOf = (callId: string, name: string, input: unknown) => {
    const known = calls.get(callId)
    // A model may use the id of a call that has ended once more.
    if (known !== undefined && (!known.ended || input === undefined)) return known
    const call = { id: uuid(), ended: false, name, input }
    calls.set(callId, call)
    return call
  }

  return {
    think(key, delta) {
      const thought = thoughts.get(key) ?? { id: uuid(), text: '', shown: 0 }
      thoughts.set(key, thought)
      thought.text += delta
      if (thought.text.length < Math.max(thought.shown * GROWTH, thought.shown + LEAST_GROWTH)) return undefined
      thought.shown = thought.text.length
      return event('THOUGHT_TRACE', { thought: thought.text, status: 'IN_PROGRESS' }, { id: thought.id })
    },
    thought(key) {
      const thought = thoughts.get(key)
      thoughts.delete(key)
      if (thought === undefined || thought.text === '') return undefined
      return event('THOUGHT_TRACE', { thought: thought.text, status: 'COMPLETE' }, { id: thought.id })
    },
    tool(callId, data) {
      const call = callOf(callId, data.name, data.arguments)
      call.input ??= data.arguments
      call.name ||= data.name
      call.ended = data.status !== 'running' && data.status !== 'waiting'
      return event('TOOL_CALL', { ...data, name: call.name, arguments: call.input }, { id: call.id })
    },
    eventId: (callId) => callOf(callId, '', undefined).id,
    source({ url, title, snippet }) {
      if (url === '' || sources.has(url)) return undefined
      sources.set(url, {
        source_id: `source-${sources.size + 1}`,
        uri: url,
        title: title || url,
        ...(snippet && { snippet }),
      })
      // Without a confidence, which no model gives: clients read it as unknown.
      return { kind: 'event', type: 'CITATION_BLOCK', data: { citations: [...sources.values()] }, id: sourcesId }
    },
    file(mediaType, url) {
      if (/^(image|audio|video)\//.test(mediaType))
        return event('MEDIA_CAROUSEL', { items: [{ url, mime_type: mediaType }] }, { id: uuid() })
      return event('ARTIFACT', { url, mime_type: mediaType }, { id: uuid() })
    },
  }
}

/** How a helper's answer ended, and what the next request needs of it. */
export interface HelperEnd<End> {
  readonly end: End
  /** In the form of the vendor. Undefined: the parts of the answer say all of it. */
  readonly items: readonly object[] | undefined
}

/** Passes the outputs of a helper on, and gives the run its answer to remember. @param vendor that of `VendorFiles` */
export async function* rememberAnswer<End>(
  vendor: string,
  answer: AsyncGenerator<AgentOutput, HelperEnd<End>>,
  run: ModelRun,
): AsyncGenerator<AgentOutput, End> {
  let text = ''
  const eventIds: string[] = []
  try {
    let step = await answer.next()
    for (; step.done !== true; step = await answer.next()) {
      const { value } = step
      if (typeof value === 'string') text += value
      else if (value.kind === 'event' && value.id !== undefined) eventIds.push(value.id)
      yield value
    }
    const { end, items } = step.value
    if (items !== undefined) run.remember?.({ vendor, items, text, eventIds })
    return end
  } finally {
    // The run may end before the answer does.
    await answer.return(undefined as never)
  }
}

/** Members with what a vendor seals: it reads them again, and nobody else can. */
const SEALS: ReadonlySet<string> = new Set([
  'signature',
  'redactedData',
  'reasoningEncryptedContent',
  'encrypted_content',
  'thoughtSignature',
])

/** Where LangChain keeps the signatures of Gemini's calls, by their ids. */
const SIGNATURES = '__gemini_function_call_thought_signatures__'

/** Members of the app: nothing in them is the vendor's. */
const OF_APP: ReadonlySet<string> = new Set(['args', 'arguments', 'input', 'result'])

const DEEPEST = 12

interface Seals {
  count: number
  /** Reasoning that is only a name for what the vendor stores for a time. */
  names: number
}

/**
 * Messages of an SDK as plain JSON, where the next request needs them unchanged: some of their reasoning is sealed, and all of it is there.
 * Undefined where the parts of the answer say all of it.
 */
export function sealedMessages(messages: readonly object[]): readonly object[] | undefined {
  const seals: Seals = { count: 0, names: 0 }
  try {
    // Objects of classes, such as messages of LangChain, hold more than JSON.
    const plain: unknown = JSON.parse(JSON.stringify(messages, withoutBytes))
    count(plain, seals, 0)
    return seals.count > 0 && seals.names === 0 && Array.isArray(plain) ? plain.filter(isJsonObject) : undefined
  } catch {
    return undefined
  }
}

function withoutBytes(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) throw new Error('Bytes are not JSON.')
  return value
}

function count(value: unknown, seals: Seals, depth: number): void {
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach((each) => count(each, seals, depth + 1))
  if (!isJsonObject(value)) return
  const before = seals.count
  for (const [key, member] of Object.entries(value)) {
    if (OF_APP.has(key)) continue
    if (SEALS.has(key) && typeof member === 'string' && member !== '') seals.count += 1
    else if (key === SIGNATURES && isJsonObject(member)) seals.count += Object.keys(member).length
    else count(member, seals, depth + 1)
  }
  if (value['type'] === 'redacted_thinking' && typeof value['data'] === 'string') seals.count += 1
  // The Responses API names its items: what it has not encrypted is known by that name alone.
  const isNamed = value['type'] === 'reasoning' && /"(itemId|id)":"/.test(JSON.stringify(value))
  if (isNamed && seals.count === before) seals.names += 1
}
