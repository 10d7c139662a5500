import { isJsonObject } from '../../base/json-object.ts'
import type { AgentOutput } from '../run/agent-output.ts'
import { blocksIn, type ContentBlock } from './lang-chain-content.ts'
import { tasksIn, type StreamedCall } from './lang-graph-models.ts'
import type { ModelOutput } from './model-output.ts'

/** A message that a graph streams. */
export interface GraphText {
  readonly id: string
  readonly content: unknown
  /** False: it is whole. */
  readonly isChunk: boolean
  /** The model call that streams it. Undefined: no callback has reported one. */
  readonly call: StreamedCall | undefined
}

/**
 * Queue of the messages that models of a graph stream. Each message is one paragraph: those of nodes that run at the same time are shown one
 * after the other, in the order of their first words. The thought of a message is whole before anything else.
 */
export interface GraphTexts {
  /** @param metadata of the message, as the graph streams it */
  say(message: GraphText, metadata: unknown): Generator<AgentOutput>
  /** Shows parts behind everything that was streamed. @param ids of messages that are whole, for those without a call */
  beside(outputs: Iterable<AgentOutput>, ids?: readonly string[]): Generator<AgentOutput>
  /** Shows everything that waits: the stream of the graph has ended. */
  flush(): Generator<AgentOutput>
}

/** One message, or the parts between two. */
interface Paragraph {
  readonly key: string | undefined
  readonly id: string | undefined
  readonly call: StreamedCall | undefined
  readonly place: Place | undefined
  /** More of it may arrive. */
  isOpen: boolean
  readonly waiting: (() => Iterable<AgentOutput>)[]
}

/** Where in a run of the graph a message comes from. */
interface Place {
  /** The tasks around that of the node. */
  readonly around: string
  /** All tasks of a step end before the next step starts. */
  readonly step: number
}

export function createGraphTexts(output: ModelOutput): GraphTexts {
  const writer = createWriter(output)
  /** The first one is shown as it arrives, and the others wait for its end. */
  const paragraphs: Paragraph[] = []
  /** Calls that have streamed chunks without text: the text may be only in the message at their end. */
  const silent = new Map<string, StreamedCall>()

  const add = (paragraph: Partial<Paragraph>): Paragraph => {
    const whole = { key: undefined, id: undefined, call: undefined, place: undefined, isOpen: false, waiting: [] }
    const added = { ...whole, ...paragraph }
    paragraphs.push(added)
    return added
  }

  function* advance(isOver = false): Generator<AgentOutput> {
    for (const [key, call] of silent) {
      const rest = call.finish(isOver)
      if (rest !== undefined) silent.delete(key)
      if (rest) add({ key, waiting: [() => writer.write(key, [{ text: rest }])] })
    }
    for (let [first] = paragraphs; first !== undefined; [first] = paragraphs) {
      for (const write of first.waiting.splice(0)) yield* write()
      const { key, call, isOpen } = first
      const rest = call?.finish(isOver)
      if (key !== undefined && rest) yield* writer.write(key, [{ text: rest }])
      if (rest === undefined && isOpen && !isOver) return
      paragraphs.shift()
    }
  }

  return {
    *say({ id, content, isChunk, call }, metadata) {
      const blocks = blocksIn(content)
      const place = placeOf(metadata)
      for (const each of paragraphs)
        if (each.place?.around === place.around && each.place.step < place.step) each.isOpen = false
      yield* advance()
      // Some gateways give every message the same id.
      const key = call?.runId ?? `${tasksIn(metadata).join('|')} ${id}`
      if (blocks.length > 0) {
        silent.delete(key)
        const known = paragraphs.find((each) => each.key === key)
        const paragraph = known ?? add({ key, id, call, place, isOpen: true, waiting: [] })
        paragraph.waiting.push(() => writer.write(key, blocks))
        paragraph.isOpen &&= isChunk
      } else if (call !== undefined && !paragraphs.some((each) => each.key === key)) silent.set(key, call)
      yield* advance()
    },
    *beside(outputs, ids = []) {
      for (const each of paragraphs)
        if (each.call === undefined && each.id !== undefined && ids.includes(each.id)) each.isOpen = false
      yield* advance()
      // Made now, since the calls of tools are compared with what was asked.
      const parts = [...outputs]
      if (parts.length > 0) add({ waiting: [() => writer.beside(parts)] })
      yield* advance()
    },
    *flush() {
      yield* advance(true)
      yield* writer.beside([])
    },
  }
}

function placeOf(metadata: unknown): Place {
  const { langgraph_step: step } = isJsonObject(metadata) ? metadata : {}
  return { around: tasksIn(metadata).slice(0, -1).join('|'), step: typeof step === 'number' ? step : 0 }
}

/** Writes paragraphs one after the other. */
interface Writer {
  /** @param key names the message */
  write(key: string, blocks: readonly ContentBlock[]): Generator<AgentOutput>
  beside(outputs: Iterable<AgentOutput>): Generator<AgentOutput>
}

function createWriter(output: ModelOutput): Writer {
  /** The message whose text is the last part of the answer. */
  let last: string | undefined
  /** The message that is thinking. */
  let thinking: string | undefined
  const shown = new Set<string | undefined>()

  function* endThought(): Generator<AgentOutput> {
    const whole = thinking === undefined ? undefined : output.thought(thinking)
    thinking = undefined
    if (whole !== undefined) yield* part(whole)
  }

  function* part(each: AgentOutput): Generator<AgentOutput> {
    // The part is below the text, so that text after it is a part as well.
    if (typeof each !== 'string' && each.kind === 'event' && !shown.has(each.id)) {
      shown.add(each.id)
      last = undefined
    }
    yield each
  }

  return {
    *write(key, blocks) {
      for (const block of blocks) {
        if ('thought' in block) {
          if (thinking !== key) yield* endThought()
          thinking = key
          const said = output.think(key, block.thought)
          if (said !== undefined) yield* part(said)
          continue
        }
        yield* endThought()
        if (last !== undefined && last !== key) yield '\n\n'
        last = key
        yield block.text
      }
    },
    *beside(outputs) {
      yield* endThought()
      for (const each of outputs) yield* part(each)
    },
  }
}
