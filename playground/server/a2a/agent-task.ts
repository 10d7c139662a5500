import type { Clock } from '../../../src/base/ports/clock.ts'
import type { ServiceRequest } from '../../../src/protocols/cap/schema/request.ts'
import type { Agent, AgentOutput, AgentRun, AnyAsk, AnyResult } from '../../../src/server.ts'
import { isStream } from './is-stream.ts'
import type { AskedForm } from './asked-form.ts'
import { askedForm } from './asked-form.ts'
import type { TaskVoice } from './task-voice.ts'

export interface AgentTaskOptions {
  readonly agent: Agent
  readonly request: ServiceRequest
  readonly requestId: string
  /** Address of the request that began it. */
  readonly url: URL
  readonly clock: Clock
  readonly uuid: () => string
  /** Resolves when the user has signed in elsewhere. */
  signedIn(signal: AbortSignal): Promise<void>
}

/** An agent of the playground at work on one task of A2A, over as many messages as it asks for. */
export interface AgentTask {
  /** Resolves when the task rests: it has ended, or waits for an answer. */
  begin(voice: TaskVoice): Promise<void>
  /** Continues with what the user answered; the same promise. */
  answer(voice: TaskVoice, value: unknown): Promise<void>
  /** Stops the work. */
  cancel(): void
}

const noState = async (): Promise<never> => {
  throw new Error('A2A has no word for a shared state.')
}

/** Known to clients that show citations: `metadata` of an artifact under this address has them. */
const CITATION_EXTENSION = 'https://a2a-extensions.agentstack.beeai.dev/ui/citation/v1'

export function createAgentTask({
  agent,
  request,
  requestId,
  url,
  clock,
  uuid,
  signedIn,
}: AgentTaskOptions): AgentTask {
  const { query } = request.payload.payload
  const stopping = new AbortController()
  const { signal } = stopping
  let voice: TaskVoice
  let waiting: { readonly form: AskedForm; readonly resolve: (result: AnyResult) => void } | undefined
  let rest = (): void => undefined
  /** Of what is said until the next question: the answer to that begins again. */
  let reply = 1
  let hasText = false

  async function ask(asked: AnyAsk): Promise<AnyResult> {
    if (asked.kind === 'sign-in') {
      voice.status('AUTH_REQUIRED', [{ text: asked.message }, { url: asked.url }])
      await signedIn(signal)
      voice.status('WORKING', [{ text: 'Signed in' }])
      return { type: 'signed-in' }
    }
    const form = askedForm(asked)
    voice.status('INPUT_REQUIRED', [{ text: form.message }, { data: form.schema }])
    voice.finished()
    rest()
    return new Promise((resolve) => {
      waiting = { form, resolve }
    })
  }

  const run: AgentRun = {
    requestId,
    text: typeof query === 'string' ? query : '',
    files: [],
    report: (error) => console.error(error),
    conversationId: request.payload.session_id,
    // A task of A2A is a separate conversation.
    history: async () => [],
    remember: () => {},
    after: undefined,
    replaces: [],
    user: undefined,
    // A2A has no word for it.
    state: { value: undefined, isEdited: false, set: noState, as: noState },
    url,
    headers: new Headers(),
    signal,
    clock,
    uuid,
    sleep: (ms) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          cancel()
          reject(new Error('The task was cancelled.', { cause: signal.reason }))
        }
        const cancel = clock.after(ms, () => {
          signal.removeEventListener('abort', stop)
          resolve()
        })
        signal.addEventListener('abort', stop, { once: true })
      }),
    write: async (output) => void say(output),
    // The overloads of `ask` name the answer to each kind of question, which is what the form gives.
    ask: ask as AgentRun['ask'],
    inbox: { take: () => [], async *[Symbol.asyncIterator]() {} },
  }

  /** False: the task has failed. */
  function say(output: AgentOutput): boolean {
    if (typeof output === 'string' || output.kind === 'text') {
      const text = typeof output === 'string' ? output : output.text
      voice.artifact({ id: `answer-${reply}`, parts: [{ text, mediaType: 'text/markdown' }] }, { append: hasText })
      hasText = true
    } else if (output.kind === 'error') {
      if (output.error.severity !== 'FATAL') return true
      voice.status('FAILED', [{ text: output.error.message }])
      return false
    } else if (output.kind === 'event') sayEvent(output.type, new Map(Object.entries(output.data)))
    return true
  }

  function sayEvent(type: string, data: ReadonlyMap<string, unknown>): void {
    if (type === 'PROGRESS_INDICATOR') voice.status('WORKING', [{ text: String(data.get('label')) }])
    if (type === 'CITATION_BLOCK') {
      const cited = data.get('citations')
      const citations = (Array.isArray(cited) ? cited : []).map((each: Readonly<Record<string, unknown>>) => ({
        url: each.uri,
        title: each.title,
        description: each.snippet,
      }))
      voice.artifact(
        { id: `answer-${reply}`, parts: [], metadata: { [CITATION_EXTENSION]: { citations } } },
        { append: hasText },
      )
    }
    const file: unknown = data.get('arguments')
    // What was written with the consent of the user is given to them as well.
    if (type === 'TOOL_CALL' && data.has('result') && typeof file === 'object' && file !== null && 'text' in file) {
      const filename = 'name' in file ? String(file.name) : 'file.md'
      const raw = Buffer.from(String(file.text)).toString('base64')
      voice.artifact(
        { id: filename, name: filename, parts: [{ raw, filename, mediaType: 'text/markdown' }] },
        { lastChunk: true },
      )
    }
  }

  async function work(): Promise<void> {
    try {
      const outputs = await agent(request, run)
      if (isStream(outputs)) for await (const output of outputs) if (!say(output)) return
      voice.status('COMPLETED')
    } catch (error) {
      if (!signal.aborted) voice.status('FAILED', [{ text: 'The agent of the playground broke.' }])
      if (!signal.aborted) throw error
    } finally {
      voice.finished()
      rest()
    }
  }

  function untilRest(): Promise<void> {
    return new Promise((resolve) => {
      rest = resolve
    })
  }

  return {
    async begin(first) {
      voice = first
      const resting = untilRest()
      await Promise.race([work(), resting])
    },
    async answer(next, value) {
      voice = next
      const resting = untilRest()
      reply += 1
      hasText = false
      const { form, resolve } = waiting ?? {}
      waiting = undefined
      voice.status('WORKING', [{ text: 'Thank you' }])
      if (form !== undefined) resolve?.(form.read(value))
      await resting
    },
    cancel: () => stopping.abort(new Error('The task was cancelled.')),
  }
}
