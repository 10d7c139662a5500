import type { Digest } from '../../base/digest.ts'
import { stringifyWellFormed } from '../../base/bounded-json.ts'
import type { OpenPrompt } from '../../protocols/cap/presentation/prompt-schema.ts'
import { openPromptSchema } from '../../protocols/cap/presentation/prompt-schema.ts'
import type { JsonSchema, PromptAnswer, PromptOption } from '../../seam/prompt.ts'
import { appError } from './app-error.ts'
import type { AnyAsk, AskSubject, Validate } from './ask.ts'
import { canonicalJson } from './canonical-json.ts'
import { checkAnswer, type Answered, type AnswerablePrompt } from './check-answer.ts'
import { unknownKeyword } from './json-schema-check.ts'

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
