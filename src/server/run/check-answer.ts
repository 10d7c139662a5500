import { isJsonObject } from '../../base/json-object.ts'
import type { FieldError, JsonSchema, PromptAnswer, PromptEnd, PromptOption } from '../../seam/prompt.ts'
import type { AnyResult, Validate } from './ask.ts'
import { canonicalJson } from './canonical-json.ts'
import { below, checkJson } from './json-schema-check.ts'

/** What an answer is checked against: a prompt as it was written into the log. */
export interface AnswerablePrompt {
  readonly kind: 'approval' | 'permission' | 'choice' | 'form' | 'sign-in'
  readonly options: readonly PromptOption[]
  readonly subject?: SeenSubject | undefined
  /** Of a form. */
  readonly schema?: JsonSchema | undefined
  readonly validate?: Validate | undefined
}

interface SeenSubject {
  readonly input: unknown
  readonly editable?: JsonSchema | undefined
  readonly digest: string
}

/** The consequences of an answer: the outcome of the prompt, its log entry, and the value for the agent. */
export interface Answered {
  readonly state: PromptEnd
  readonly answer: PromptAnswer
  readonly result: AnyResult
}

export type CheckedAnswer = Answered | { readonly errors: readonly FieldError[] }

/** Validates a user's answer. Only a known option that allows, with the digest of exactly this subject, is consent. */
export async function checkAnswer(prompt: AnswerablePrompt, answer: PromptAnswer): Promise<CheckedAnswer> {
  switch (answer.type) {
    case 'decline': {
      const { type, reason } = answer
      return { state: 'declined', answer: { type, reason }, result: { type: 'declined', reason } }
    }
    case 'cancel':
      return { state: 'cancelled', answer: { type: 'cancel' }, result: { type: 'cancelled' } }
    case 'done':
      if (prompt.kind !== 'sign-in') return wrong('', 'This prompt does not ask to sign in.')
      return { state: 'answered', answer: { type: 'done' }, result: { type: 'signed-in' } }
    case 'value':
      return checkValue(prompt, answer.value)
    case 'option':
      return checkOption(prompt, answer)
  }
}

async function checkValue({ kind, schema, validate }: AnswerablePrompt, value: unknown): Promise<CheckedAnswer> {
  if (kind !== 'form' || schema === undefined) return wrong('', 'This prompt does not ask for values.')
  const checked = await checkedBy(validate, schema, value)
  if ('errors' in checked) return checked
  return {
    state: 'answered',
    answer: { type: 'value', value },
    result: { type: 'value', value: checked.value, byDefault: false },
  }
}

async function checkOption(
  { kind, options, subject, validate }: AnswerablePrompt,
  answer: Extract<PromptAnswer, { type: 'option' }>,
): Promise<CheckedAnswer> {
  const option = options.find(({ id }) => id === answer.optionId)
  if (option === undefined) return wrong('', 'This prompt does not offer that option.')
  if (subject !== undefined && answer.digest !== subject.digest)
    return wrong('', 'This answer is about something else than what is asked now.')
  const { optionId, digest, edits } = answer
  if (kind === 'choice') {
    if (edits !== undefined) return wrong('', 'Nothing can be changed here.')
    return {
      state: 'answered',
      answer: { type: 'option', optionId, digest },
      result: { type: 'chosen', option, byDefault: false },
    }
  }
  if (option.kind !== 'allow-once' && option.kind !== 'allow-always')
    return { state: 'answered', answer: { type: 'option', optionId, digest }, result: { type: 'refused', option } }
  if (edits === undefined || subject === undefined) {
    if (edits !== undefined) return wrong('', 'Nothing can be changed here.')
    return {
      state: 'answered',
      answer: { type: 'option', optionId, digest },
      result: { type: 'allowed', option, input: subject?.input, edited: false },
    }
  }
  const checked = await checkEdits(subject, edits, validate)
  if ('errors' in checked) return checked
  return {
    state: 'answered',
    answer: { type: 'option', optionId, digest, edits },
    result: { type: 'allowed', option, input: checked.value, edited: true },
  }
}

type Checked = { readonly value: unknown } | { readonly errors: readonly FieldError[] }

/** Of an object only the properties that `editable` lists may change; the others stay as they were, also where the answer leaves them out. */
async function checkEdits(
  { input, editable }: SeenSubject,
  edits: unknown,
  validate: Validate | undefined,
): Promise<Checked> {
  if (editable === undefined) return wrong('', 'This input cannot be changed.')
  const { properties, additionalProperties } = editable
  if (!isJsonObject(properties) || !isJsonObject(input)) return checkedBy(validate, editable, edits)
  if (!isJsonObject(edits)) return wrong('', 'Must be object.')
  const mayAdd = additionalProperties !== undefined && additionalProperties !== false
  const kept = Object.keys(input).filter((key) => !mayAdd && !Object.hasOwn(properties, key))
  const errors = Object.keys(edits)
    .filter((key) => !mayAdd && !Object.hasOwn(properties, key))
    .filter((key) => !Object.hasOwn(input, key) || canonicalJson(input[key]) !== canonicalJson(edits[key]))
    .map((key) => ({ path: below('', key), message: 'Cannot be changed.' }))
  if (errors.length > 0) return { errors }
  const merged = { ...edits, ...Object.fromEntries(kept.map((key) => [key, input[key]])) }
  if (validate !== undefined) return checkedBy(validate, editable, merged)
  // What may not change is not checked against what may.
  const { additionalProperties: _, ...rest } = editable
  const found = checkJson(mayAdd ? editable : rest, merged)
  return found.length > 0 ? { errors: found } : { value: merged }
}

async function checkedBy(validate: Validate | undefined, schema: JsonSchema, value: unknown): Promise<Checked> {
  const found = validate === undefined ? checkJson(schema, value) : await validated(validate, value)
  if ('value' in found) return found
  return found.length > 0 ? { errors: found } : { value }
}

async function validated(
  validate: Validate,
  value: unknown,
): Promise<readonly FieldError[] | { readonly value: unknown }> {
  // A schema of some libraries is a function as well.
  if (!('~standard' in validate)) return (await validate(value)) ?? []
  const said = await validate['~standard'].validate(value)
  if (said.issues === undefined) return { value: said.value }
  return said.issues.map(({ path = [], message }) => ({
    path: path.reduce<string>(
      (pointer, part) => below(pointer, String(typeof part === 'object' ? part.key : part)),
      '',
    ),
    message,
  }))
}

function wrong(path: string, message: string): { readonly errors: readonly FieldError[] } {
  return { errors: [{ path, message }] }
}
