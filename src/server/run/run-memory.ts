import type { Clock } from '../../base/ports/clock.ts'
import {
  historyOf,
  type ConversationMessage,
  type ConversationAnswer,
  type ConversationKey,
  type ConversationStore,
  type ConversationPart,
  conversationTitle,
  shownTurns,
  type TurnPlace,
} from '../conversation/conversation-store.ts'
import { appError } from './app-error.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import { toPart } from '../../protocols/cap/presentation/presentation-part.ts'
import type { RememberedAnswer } from './agent.ts'
import type { AgentOutput, EventOutput } from './agent-output.ts'
import { createToldState, isStateEvent, STATE_ID } from './agent-run-state.ts'
import type { Attachment } from '../../seam/chat-input.ts'
import type { ServiceRequest } from '../../protocols/cap/schema/request.ts'

export interface RunMemoryOptions {
  readonly store: ConversationStore
  readonly key: ConversationKey
  readonly requestId: string
  readonly place: TurnPlace
  readonly question: Question
  /** The state that the page has sent. Absent: none. */
  readonly sent?: { readonly state: unknown } | undefined
  readonly clock: Clock
  /** What the store could not do. The answer continues without it. */
  onError(error: unknown): void
}

/** What a run has to do with the store of its conversation. */
export interface RunMemory {
  readonly recorder: AnswerRecorder
  /** The messages that the page shows before this request. Rejects when the store cannot be read. */
  history(): Promise<readonly ConversationMessage[]>
  /** Stores the answer so far. Never rejects, and limits the wait for the store. */
  finish(status: ConversationAnswer['status']): Promise<void>
}

/** Longer, and the end of the answer does not wait for its place in the store. */
const LONGEST_WAIT_MS = 10_000

/** Puts a request into its conversation. */
export function createRunMemory(options: RunMemoryOptions): RunMemory {
  const { store, key, requestId, place, question, clock, onError } = options
  const recorder = createAnswerRecorder(options.sent)
  let earlier: Promise<readonly ConversationMessage[]> | undefined
  const { text, files, metadata } = question
  const turn = {
    id: requestId,
    ...(place.after !== undefined && { after: place.after }),
    replaces: place.replaces,
    text,
    ...(files.length > 0 && { files }),
    ...(metadata !== undefined && { metadata }),
    at: clock.date(),
  }
  const begun = store.begin(key, turn, conversationTitle(text))
  begun.catch(onError)

  const read = async (): Promise<readonly ConversationMessage[]> => {
    await begun.catch(() => {})
    const turns = await store.turns(key)
    const own = turns.findIndex(({ id }) => id === requestId)
    // A repeated run does not know the turns after it.
    return historyOf(shownTurns(own === -1 ? turns : turns.slice(0, own), place))
  }

  return {
    recorder,
    history: () => (earlier ??= read()),
    finish(status) {
      const stored = begun.then(() => store.finish(key, requestId, recorder.answer(status, clock.date())))
      return new Promise((resolve) => {
        const cancel = clock.after(LONGEST_WAIT_MS, () => {
          onError(appError('The conversation store has not stored an answer in time.'))
          resolve()
        })
        stored
          // The failure to begin the turn is already reported.
          .catch((error: unknown) => begun.then(() => onError(error)).catch(() => {}))
          .finally(() => {
            cancel()
            resolve()
          })
      })
    },
  }
}

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
function createAnswerRecorder(sent?: { readonly state: unknown }): AnswerRecorder {
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

/** The user's message in a request. */
export interface Question {
  readonly text: string
  readonly files: readonly (string | Attachment)[]
  /** What the page sent with it. Absent: nothing. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** Keys of the metadata that clients and wires of this package write for the server. */
const OWN_KEYS = new Set(['replaces', 'state', 'state_edit', 'is_first'])

/**
 * Reads text, files and metadata of a request. CAP leaves the keys of its payload open: `query` is what most documents say, `input` what
 * one does; text may also be in `parts`, the parts of a ChatMessage (CAP section 3.5). Files are ids in `files`, and parts or attachments of
 * them in `parts`.
 */
export function readQuestion({ payload }: ServiceRequest): Question {
  const { query, input, files, parts } = payload.payload
  const metadata = appMetadata(payload.metadata)
  const items = Array.isArray(parts) ? parts.filter(isJsonObject) : []
  return {
    text: [query, input].find((said): said is string => typeof said === 'string') ?? items.map(textOf).join(''),
    files: [
      ...(Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : []),
      ...items.flatMap(attachmentsOf),
    ],
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

/** The metadata of the app. */
export function appMetadata(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !OWN_KEYS.has(key)))
}

/** Of a text part, or of a part that has text and attachments. */
function textOf({ type, content, text }: JsonObject): string {
  const said = type === 'text' ? content : text
  return typeof said === 'string' ? said : ''
}

function attachmentsOf(part: JsonObject): Attachment[] {
  const { attachments } = part
  const nested = Array.isArray(attachments) ? attachments.filter(isJsonObject) : []
  return [part, ...nested.map(({ id, ...rest }) => ({ ...rest, type: 'file', file_id: id }))].flatMap(
    (each) => attachmentOf(each) ?? [],
  )
}

/** A part that is a file. `name` is an addition of this package: CAP ignores keys that it does not know. */
function attachmentOf(part: JsonObject): Attachment | undefined {
  const { type, content, file_id: fileId, uri, mime_type: mimeType, name } = part
  const described = {
    ...(typeof name === 'string' && { name }),
    ...(typeof mimeType === 'string' && { mimeType }),
  }
  if (type === 'blob' && typeof content === 'string') return { data: content, ...described }
  const id = type === 'file' ? fileId : type === 'uri' ? uri : undefined
  return typeof id === 'string' ? { id, ...described } : undefined
}

/** Files as parts of a ChatMessage. */
export function filePartsOf(files: readonly Attachment[]): JsonObject[] {
  return files.map(({ id, data, name, mimeType }) => ({
    ...(data === undefined ? { type: 'file', file_id: id } : { type: 'blob', content: data }),
    modality: /^(image|audio|video)\//.exec(String(mimeType))?.[1] ?? 'text',
    mime_type: mimeType,
    name,
  }))
}
