import { isString } from '../../base/guards.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { JsonSchema } from '../../seam/prompt.ts'
import type { Deviation } from './events.ts'
import { ValidationError } from '../../base/format/validation-error.ts'

/** A question that a run has ended with (AG-UI 1.0, interrupts). */
export interface AgUiInterrupt {
  readonly id: string
  /** `tool_call`, `input_required`, `confirmation`, or a name of the server's own such as `langgraph:interrupt`. */
  readonly reason: string
  readonly message?: string | undefined
  readonly toolCallId?: string | undefined
  readonly responseSchema?: JsonSchema | undefined
  /** ISO 8601. */
  readonly expiresAt?: string | undefined
  readonly metadata?: unknown
  readonly subagentRunId?: string | undefined
  /** How the server wants to be answered: in `resume`, or as LangGraph in `forwardedProps.command.resume`. @default 'resume' */
  readonly via?: 'resume' | 'command' | undefined
}

/** How a run ended that did not fail. */
export type AgUiOutcome =
  | { readonly type: 'success' }
  | { readonly type: 'interrupt'; readonly interrupts: readonly AgUiInterrupt[] }
  | { readonly type: 'cancelled' }

const TEXTS = ['message', 'toolCallId', 'expiresAt', 'subagentRunId'] as const

export interface RawOutcome {
  readonly outcome?: unknown
  /** In drafts, beside the outcome. */
  readonly interrupts?: unknown
}

/**
 * How a run has ended. An outcome that is not known is success, by the specification.
 *
 * @throws ValidationError
 */
export function readOutcome({ outcome, interrupts }: RawOutcome, deviate: Deviation): AgUiOutcome {
  if (isString(outcome) || outcome === undefined || outcome === null) {
    // In drafts of AG-UI the questions were next to the outcome, which was a string, or missing.
    deviate('the outcome of a run is not an object')
    if (isString(outcome) && outcome !== 'interrupt') return { type: outcome === 'cancelled' ? 'cancelled' : 'success' }
    const list = Array.isArray(interrupts) ? interrupts : [interrupts]
    return { type: 'interrupt', interrupts: readInterrupts(list.map(draftInterrupt)) }
  }
  if (!isJsonObject(outcome)) throw new ValidationError('the outcome of a run is not an object')
  const { type, interrupts: asked } = outcome
  if (type === 'interrupt') return { type, interrupts: readInterrupts(asked) }
  return { type: type === 'cancelled' ? type : 'success' }
}

function readInterrupts(list: unknown): readonly AgUiInterrupt[] {
  if (!Array.isArray(list) || list.length === 0) throw new ValidationError('a run is interrupted by nothing')
  const all = list.map(readInterrupt)
  if (new Set(all.map(({ id }) => id)).size < all.length) throw new ValidationError('two interrupts have the same id')
  return all
}

/** In drafts neither an id nor a reason was required, and what is asked for was its payload. */
function draftInterrupt(value: unknown, place: number): unknown {
  if (!isJsonObject(value)) return value
  const { id, reason, metadata, payload, value: asked = payload } = value
  return { ...value, id: id ?? `interrupt-${place + 1}`, reason: reason ?? 'interrupt', metadata: metadata ?? asked }
}

function readInterrupt(value: unknown): AgUiInterrupt {
  if (!isJsonObject(value)) throw new ValidationError('an interrupt is not an object')
  const { id, reason, responseSchema, metadata } = value
  if (!isString(id) || !isString(reason)) throw new ValidationError('an interrupt has no id or no reason')
  if (!isJsonObject(responseSchema ?? {}))
    throw new ValidationError('the responseSchema of an interrupt is not an object')
  const texts: Partial<Record<(typeof TEXTS)[number], string>> = {}
  for (const name of TEXTS) {
    const text = value[name] ?? undefined
    if (text !== undefined && !isString(text)) throw new ValidationError(`the ${name} of an interrupt is not a string`)
    if (text !== undefined) texts[name] = text
  }
  return {
    id,
    reason,
    ...texts,
    ...(isJsonObject(responseSchema) && { responseSchema }),
    ...(metadata !== undefined && metadata !== null && { metadata }),
  }
}
