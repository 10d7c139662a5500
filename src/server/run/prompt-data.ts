import type { Digest } from '../../base/digest.ts'
import { stringifyWellFormed } from '../../base/bounded-json.ts'
import { type OpenPrompt, openPromptSchema } from '../../protocols/cap/presentation/prompt-schema.ts'
import type { JsonSchema, PromptAnswer, PromptOption, FieldError, PromptEnd } from '../../seam/prompt.ts'
import { appError } from './app-error.ts'
import type { AnyAsk, AskSubject, Validate, AnyResult } from './ask.ts'
import { canonicalJson, unknownKeyword, below, checkJson } from './json-schema-check.ts'
import { isJsonObject } from '../../base/json-object.ts'

/** A prompt that is ready to be asked. */
export interface PreparedPrompt {
  readonly asked: AnswerablePrompt
  /** What its event says. */
  readonly data: OpenPrompt
  /** The action at expiry: undefined: none. */
  readonly byDefault: Answered | undefined
}

const ALLOW_OR_DENY: readonly PromptOption[] = [
  { id: 'allow-once', label: 'Allow', kind: 'allow-once' },
  { id: 'reject-once', label: 'Deny', kind: 'reject-once' },
]

/**
 * Makes a prompt of what an agent asks: a copy, so that what is allowed is what was shown, whatever the agent does with its own
 * objects meanwhile.
 *
 * @param expiresAt epoch milliseconds
 * @throws AgentError `app_error` that tells the developer what is wrong with it
 */
export async function preparePrompt(
  ask: AnyAsk,
  expiresAt: number | undefined,
  digest: Digest,
): Promise<PreparedPrompt> {
  const { kind, message, group } = ask
  const options =
    ask.kind === 'choice' || ask.kind === 'approval' || ask.kind === 'permission' ? ask.options : undefined
  const offered = copyOf(options ?? (kind === 'approval' || kind === 'permission' ? ALLOW_OR_DENY : undefined))
  const subject = 'subject' in ask && ask.subject !== undefined ? await subjectOf(ask.subject, digest) : undefined
  const schema = ask.kind === 'form' ? copyOf(ask.schema) : undefined
  const hasDefault = 'default' in ask && ask.default !== undefined
  const data = {
    state: 'open' as const,
    kind,
    message,
    subject: subject && {
      name: subject.name,
      input: subject.input,
      editable: subject.editable,
      tool_call_id: subject.toolCallId,
      digest: subject.digest,
    },
    options: offered?.map(({ ttlMs, ...option }) => ({ ...option, ttl_ms: ttlMs ?? undefined })),
    schema,
    initial: ask.kind === 'form' ? copyOf(ask.initial) : undefined,
    url: ask.kind === 'sign-in' ? ask.url : undefined,
    expires_at: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
    on_expiry: expiresAt === undefined ? undefined : hasDefault ? ('default' as const) : ('cancel' as const),
    group,
  }
  checkData(data)
  if (ask.kind === 'sign-in') checkAddress(ask.url)
  const validate: Validate | undefined = 'validate' in ask ? ask.validate : undefined
  const asked: AnswerablePrompt = { kind, options: offered ?? [], subject, schema, validate }
  checkKind(asked)
  return { asked, data, byDefault: await defaultOf(ask, asked) }
}

interface PreparedSubject {
  readonly name: string
  readonly input: unknown
  readonly editable: JsonSchema | undefined
  readonly toolCallId: string | undefined
  readonly digest: string
}

async function subjectOf({ name, input, editable, toolCallId }: AskSubject, digest: Digest): Promise<PreparedSubject> {
  const seen = copyOf({ name, input, editable })
  const bytes = await digest(canonicalJson(seen))
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { ...seen, toolCallId, digest: hex }
}

/** A value as JSON gives it back. @throws AgentError `app_error` when JSON cannot write it */
function copyOf<Value>(value: Value): Value {
  if (value === undefined) return value
  try {
    // The shape is kept, apart from what JSON cannot represent.
    return JSON.parse(stringifyWellFormed(value)) as Value
  } catch {
    throw appError('run.ask was given something that JSON cannot write. Pass plain data.')
  }
}

function checkData(data: OpenPrompt): void {
  const parsed = openPromptSchema.safeParse(data)
  if (parsed.success) return
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`)
  throw appError(`run.ask was given what makes no prompt: ${faults.join('; ')}.`)
}

/** Pages open only these addresses; with another one the user could not continue. */
function checkAddress(url: string): void {
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol))
    throw appError(`run.ask was given a sign-in at ${JSON.stringify(url)}. Give an absolute http or https address.`)
}

function checkKind({ kind, options, subject, schema, validate }: AnswerablePrompt): void {
  if ((kind === 'approval' || kind === 'permission') && subject === undefined)
    throw appError(`run.ask was given an ${kind} without a subject. Say what is to be done: subject: { name, input }.`)
  if (kind === 'choice' && options.length === 0)
    throw appError('run.ask was given a choice without options. Offer one at least.')
  if (kind === 'form' && schema === undefined) throw appError('run.ask was given a form without a schema.')
  const judged = kind === 'form' ? schema : subject?.editable
  const unknown = validate !== undefined || judged === undefined ? undefined : unknownKeyword(judged)
  if (unknown !== undefined)
    throw appError(
      `run.ask was given a schema whose keyword ${JSON.stringify(unknown)} the server does not check. Pass validate: a Standard Schema, or a function.`,
    )
}

/** An approval has no default: nothing is done that nobody allowed. */
async function defaultOf(ask: AnyAsk, asked: AnswerablePrompt): Promise<Answered | undefined> {
  if (ask.kind !== 'choice' && ask.kind !== 'form') return undefined
  if (ask.default === undefined) return undefined
  const answer: PromptAnswer =
    ask.kind === 'choice'
      ? { type: 'option', optionId: ask.default, digest: asked.subject?.digest }
      : { type: 'value', value: copyOf(ask.default) }
  const checked = await checkAnswer(asked, answer)
  if ('errors' in checked)
    throw appError(`run.ask was given a default that is no answer: ${checked.errors[0]?.message ?? ''}`)
  const { result } = checked
  return result.type === 'chosen' || result.type === 'value'
    ? { ...checked, state: 'expired', result: { ...result, byDefault: true } }
    : checked
}

/** What an answer is checked against: a prompt as it was written into the log. */
interface AnswerablePrompt {
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
interface Answered {
  readonly state: PromptEnd
  readonly answer: PromptAnswer
  readonly result: AnyResult
}

type CheckedAnswer = Answered | { readonly errors: readonly FieldError[] }

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
