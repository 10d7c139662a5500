import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import type { PromptAnswer } from '../../seam/prompt.ts'
import { canonicalUuid } from '../../protocols/cap/values/scalars.ts'
import type { LogReader } from '../event-log/event-log.ts'
import type { ForeignAnswer } from './wire.ts'

/** The data of PROMPT events in a log, by their ids, until all of them are found or `signal` aborts. */
export async function readPrompts(
  reader: LogReader,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, JsonObject>> {
  const found = new Map<string, JsonObject>()
  for (let position = 0; ids.some((id) => !found.has(id));) {
    const slice = await reader.read(position, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    for (const entry of slice?.entries ?? []) {
      if (entry.kind !== 'frame' || !entry.text.includes('"PROMPT"')) continue
      for (const row of entry.text.split('\n')) {
        if (!row.startsWith('data: ')) continue
        // Written by this server.
        const { p } = JSON.parse(row.slice(6)) as { readonly p?: unknown }
        if (!isJsonObject(p) || p['type'] !== 'PROMPT' || !isJsonObject(p['data'])) continue
        const id = canonicalUuid(p['id'])
        if (id !== undefined && p['data']['state'] === 'open') found.set(id, p['data'])
      }
    }
    if (slice === undefined || slice.closed || slice.end === position) break
    position = slice.end
  }
  return found
}

/** Whether a PROMPT event that settles a question says that it was allowed. @param options those of the question */
export function wasAllowed({ state, answer }: JsonObject, options: unknown): boolean {
  const chosen = isJsonObject(answer) ? answer['option_id'] : undefined
  const allowing = (Array.isArray(options) ? options.filter(isJsonObject) : [])
    .filter(({ kind }) => kind === 'allow-once' || kind === 'allow-always')
    .map(({ id }) => id)
  return state === 'answered' && allowing.includes(chosen)
}

/** The answer as the run takes it, to exactly what was asked. Undefined where the prompt offers no such answer. */
export function promptAnswer({ says, edits }: ForeignAnswer, prompt: JsonObject): PromptAnswer | undefined {
  const { kind, subject, options } = prompt
  const digest = isJsonObject(subject) && typeof subject['digest'] === 'string' ? subject['digest'] : undefined
  const offered = Array.isArray(options) ? options.filter(isJsonObject) : []
  const of = (...kinds: readonly string[]): string | undefined => {
    const id = kinds.flatMap((wanted) => offered.find((option) => option['kind'] === wanted)?.['id'] ?? [])[0]
    return typeof id === 'string' ? id : undefined
  }
  switch (says.type) {
    case 'cancel':
      return { type: 'cancel' }
    case 'deny': {
      const optionId = of('reject-once', 'reject-always')
      return optionId === undefined ? { type: 'decline' } : { type: 'option', optionId, digest }
    }
    case 'allow': {
      const optionId = of('allow-once', 'allow-always')
      return optionId === undefined
        ? undefined
        : { type: 'option', optionId, digest, ...(edits !== undefined && { edits }) }
    }
    case 'value':
      if (kind === 'sign-in') return { type: 'done' }
      if (kind !== 'choice') return { type: 'value', value: says.value }
      return typeof says.value === 'string' ? { type: 'option', optionId: says.value, digest } : undefined
  }
}
