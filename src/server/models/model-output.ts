import { NOT_ALLOWED } from '../../base/tool-failures.ts'
import { event, type EventOutput, type PresentationData } from '../run/agent-output.ts'
import type { AgentRun } from '../run/agent.ts'

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
