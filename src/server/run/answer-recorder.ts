import { isJsonObject } from '../../base/json-object.ts'
import { toPart } from '../../protocols/cap/presentation/presentation-part.ts'
import type { ConversationAnswer, ConversationPart } from '../conversation/conversation-store.ts'
import type { RememberedAnswer } from './agent.ts'
import type { AgentOutput, EventOutput } from './agent-output.ts'
import { createToldState, isStateEvent, STATE_ID } from './told-state.ts'

/** Folds what an agent says into the answer that its conversation keeps. */
export interface AnswerRecorder {
  take(output: AgentOutput): void
  /** Takes a whole answer that was not a stream, as JSON text. */
  takeResponse(json: string): void
  /** Stores an answer in the form of its vendor with it. The last call counts. */
  remember(answer: RememberedAnswer): void
  /** The answer so far. `complete` becomes `failed` where the main stream has failed. */
  answer(status: ConversationAnswer['status'], at: number): ConversationAnswer
}

interface TextDraft {
  readonly type: 'text'
  readonly id: string
  readonly stream: string
  text: string
}

const MAIN = ''

/** @param sent the state that the page has sent with the request. Absent: none */
export function createAnswerRecorder(sent?: { readonly state: unknown }): AnswerRecorder {
  const state = createToldState(sent)
  const parts: (TextDraft | ConversationPart)[] = []
  const places = new Map<string, number>()
  let hasFailed = false
  let remembered: RememberedAnswer | undefined

  const takeText = (text: string, stream: string): void => {
    const last = parts.at(-1)
    if (last !== undefined && 'stream' in last && last.stream === stream) last.text += text
    else if (text !== '') parts.push({ type: 'text', id: `text-${parts.length}`, stream, text })
  }

  const takeEvent = ({ type, data, id = `part-${parts.length}` }: EventOutput): void => {
    // The addressee and outcome of a question are in the log and are not repeated.
    if (type === 'PROMPT' || !isJsonObject(data)) return
    if (!isStateEvent(type)) return put(id, { ...toPart({ type, data }).part, id })
    if (state.take(type, data)) put(STATE_ID, { type: 'state', id: STATE_ID, state: state.told?.state })
  }

  const put = (id: string, part: ConversationPart): void => {
    const place = places.get(id)
    if (place === undefined) {
      places.set(id, parts.length)
      parts.push(part)
    } else parts[place] = part
  }

  return {
    take(output) {
      if (typeof output === 'string') return takeText(output, MAIN)
      const { stream = MAIN } = output
      if (output.kind === 'text') takeText(output.text, stream)
      else if (output.kind === 'event') takeEvent(output)
      else if (output.kind === 'error' && output.error.severity === 'FATAL' && stream === MAIN) hasFailed = true
    },
    takeResponse(json) {
      // It was checked to be a ServiceResponse, whose output is an object.
      const { output } = JSON.parse(json) as { readonly output: Readonly<Record<string, unknown>> }
      const { text } = output
      if (typeof text === 'string') takeText(text, MAIN)
      else parts.push({ type: 'data', data: output, id: 'output' })
    },
    remember(answer) {
      // A copy, as it will be stored: the caller may change its own.
      remembered = { ...answer, items: JSON.parse(JSON.stringify(answer.items)) as readonly object[] }
    },
    answer(given, at) {
      const status = hasFailed && given === 'complete' ? 'failed' : given
      const said = parts.map((part) => ('stream' in part ? { type: part.type, id: part.id, text: part.text } : part))
      const model = status === 'complete' && remembered !== undefined ? recordOf(remembered, said) : undefined
      return { parts: said, status, at, ...(model !== undefined && { model }) }
    },
  }
}

/** The record of an answer, if the page shows the same text and the same calls. Undefined: the app has added or changed some. */
function recordOf(
  { vendor, items, text, eventIds }: RememberedAnswer,
  parts: readonly ConversationPart[],
): ConversationAnswer['model'] {
  const shown = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const isKnown = parts.every(({ type, id }) => type !== 'tool-call' || eventIds.includes(id))
  return shown === text && isKnown ? { vendor, items } : undefined
}
