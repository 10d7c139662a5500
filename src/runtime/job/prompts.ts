import { USER_REFUSED } from '../../base/tool-failures.ts'
import type { Clock } from '../../base/ports/clock.ts'
import type { JsonSchema } from '../../seam/prompt.ts'
import { checkJson } from '../../server/run/json-schema-check.ts'
import { ArcpFault, type CommandOf } from '../session/arcp-fault.ts'
import type { RuntimeJob } from './runtime-job.ts'
import type { LeaseSubject } from './leases.ts'
import type { Peer, RuntimeSession } from '../session/runtime-session.ts'
import type { ArcpAnswered, ArcpChoiceQuestion, ArcpInputQuestion, ArcpPermissionQuestion } from './tool.ts'

/** A message that answers a question. */
export type AnswerCommand = CommandOf<
  'human.input.response' | 'human.choice.response' | 'human.input.cancelled' | 'permission.grant' | 'permission.deny'
>

/** For how long something is allowed, as the user says. */
export interface Grant {
  readonly seconds: number
  /** Id of the message that granted it. */
  readonly grantId: string
}

/** The questions of the jobs of a runtime. Of all answers the first one counts. */
export interface Prompts {
  askInput(job: RuntimeJob, question: ArcpInputQuestion, causationId?: string): Promise<ArcpAnswered<unknown>>
  askChoice(job: RuntimeJob, question: ArcpChoiceQuestion): Promise<ArcpAnswered<string>>
  /** Gives the grant and the id of the request. */
  askPermission(job: RuntimeJob, question: ArcpPermissionQuestion): Promise<Grant & { readonly requestId: string }>
  /**
   * Accepts an answer to an open question. All followers except its sender are sent it.
   *
   * @throws ArcpFault INVALID_ARGUMENT, and the question stays open; FAILED_PRECONDITION when it has ended, or belongs to others
   */
  answer(command: AnswerCommand, peer: Peer, mayAnswer: (owner: RuntimeSession) => boolean): void
}

export interface RuntimePromptsOptions {
  readonly clock: Clock
  /** How long a question may be answered, in milliseconds, where it does not say. */
  readonly promptMs: number
}

interface OpenPrompt {
  readonly job: RuntimeJob
  /** Takes an answer. @throws ArcpFault when it is none to this question */
  take(command: AnswerCommand): Taken
}

/** What an answer was, for those who did not give it. */
interface Taken {
  readonly type: 'human.input.response' | 'human.choice.response' | 'human.input.cancelled' | undefined
  readonly payload: object
}

export function createPrompts({ clock, promptMs }: RuntimePromptsOptions): Prompts {
  const open = new Map<string, OpenPrompt>()

  interface Asking<Value> {
    readonly type: string
    readonly payload: object
    readonly expiresInMs: number
    readonly causationId?: string | undefined
    /** What an answer means. @throws ArcpFault when it is none */
    read(command: AnswerCommand): { readonly value: Value; readonly told: Taken }
    /** The default if nobody answers, and its message. Absent: the question fails. */
    readonly otherwise?: { readonly value: Value; readonly told: Taken } | undefined
  }

  function ask<Value>(
    job: RuntimeJob,
    asking: Asking<Value>,
  ): { readonly id: string; readonly answered: Promise<Value> } {
    const members = asking.causationId === undefined ? {} : { causation_id: asking.causationId }
    const id = job.emit(asking.type, asking.payload, members)
    if (id === undefined) return { id: '', answered: Promise.reject(new ArcpFault('CANCELLED', 'The job has ended.')) }
    const unblock = job.block()
    const answered = new Promise<Value>((resolve, reject) => {
      const over = (): void => {
        open.delete(id)
        cancel()
        unblock()
      }
      const cancel = clock.after(asking.expiresInMs, () => {
        const { otherwise } = asking
        const told = otherwise?.told ?? cancelled('DEADLINE_EXCEEDED', 'Nobody has answered in time.')
        over()
        if (told.type !== undefined) job.emit(told.type, told.payload, { correlation_id: id })
        if (otherwise === undefined) reject(new ArcpFault('DEADLINE_EXCEEDED', 'Nobody has answered in time.'))
        else resolve(otherwise.value)
      })
      open.set(id, {
        job,
        take(command) {
          if (command.type === 'human.input.cancelled') {
            over()
            const { code, message = 'The user does not answer.' } = command.payload
            reject(new ArcpFault(code, message))
            return cancelled(code, message)
          }
          if (command.type === 'permission.deny' && asking.type === 'permission.request') {
            over()
            const reason = command.payload.reason ?? USER_REFUSED
            reject(new ArcpFault('PERMISSION_DENIED', reason))
            return cancelled('PERMISSION_DENIED', reason)
          }
          const { value, told } = asking.read(command)
          over()
          resolve(value)
          return told
        },
      })
      job.onEnd(() => {
        over()
        reject(new ArcpFault('CANCELLED', 'The job has ended.'))
      })
    })
    // The asking job may have ended meanwhile.
    answered.catch(() => undefined)
    return { id, answered }
  }

  const until = (ms: number): { readonly expires_at: string } => ({
    expires_at: new Date(clock.date() + ms).toISOString(),
  })
  const byDefault = (): object => ({ responded_by: 'default', responded_at: new Date(clock.date()).toISOString() })

  return {
    async askInput(job, { prompt, schema = { type: 'string' }, default: value, expiresInMs = promptMs }, causationId) {
      const hasDefault = value !== undefined
      return ask<ArcpAnswered<unknown>>(job, {
        type: 'human.input.request',
        payload: { prompt, response_schema: schema, ...(hasDefault ? { default: value } : {}), ...until(expiresInMs) },
        expiresInMs,
        causationId,
        otherwise: hasDefault
          ? {
              value: { value, byDefault: true, respondedBy: 'default' },
              told: { type: 'human.input.response', payload: { value, ...byDefault() } },
            }
          : undefined,
        read(command) {
          if (command.type !== 'human.input.response') throw notAnAnswer()
          assertFits(schema, command.payload.value)
          const { value: given, responded_by: respondedBy } = command.payload
          return {
            value: { value: given, byDefault: false, respondedBy },
            told: { type: command.type, payload: command.payload },
          }
        },
      }).answered
    },
    async askChoice(job, { prompt, options, default: choice, expiresInMs = promptMs }) {
      const chosen = (id: string, isDefault: boolean, respondedBy?: string): ArcpAnswered<string> => ({
        value: id,
        byDefault: isDefault,
        respondedBy,
      })
      return ask<ArcpAnswered<string>>(job, {
        type: 'human.choice.request',
        payload: { prompt, options, ...(choice === undefined ? {} : { default: choice }), ...until(expiresInMs) },
        expiresInMs,
        otherwise:
          choice === undefined
            ? undefined
            : {
                value: chosen(choice, true, 'default'),
                told: { type: 'human.choice.response', payload: { choice_id: choice, ...byDefault() } },
              },
        read(command) {
          if (command.type !== 'human.choice.response') throw notAnAnswer()
          const { choice_id: id, responded_by: respondedBy } = command.payload
          if (!options.some((option) => option.id === id))
            throw wrong([{ path: '/choice_id', message: 'Is not one of the options.' }])
          return { value: chosen(id, false, respondedBy), told: { type: command.type, payload: command.payload } }
        },
      }).answered
    },
    async askPermission(job, question) {
      const { permission, resource, operation, reason, leaseSeconds = 60, expiresInMs = promptMs } = question
      const subject: LeaseSubject = { permission, resource, operation }
      const asked = ask<Grant>(job, {
        type: 'permission.request',
        payload: { ...subject, ...(reason === undefined ? {} : { reason }), requested_lease_seconds: leaseSeconds },
        expiresInMs,
        read(command) {
          if (command.type !== 'permission.grant') throw notAnAnswer()
          assertSame(subject, command.payload)
          const seconds = grantedSeconds(command.payload, clock.date()) ?? leaseSeconds
          return {
            value: { seconds, grantId: command.id },
            // The lease that follows reports it.
            told: { type: undefined, payload: {} },
          }
        },
      })
      return { ...(await asked.answered), requestId: asked.id }
    },
    answer(command, peer, mayAnswer) {
      const prompt = open.get(command.correlation_id ?? '')
      // Nobody learns which questions others have.
      if (prompt === undefined || !mayAnswer(prompt.job.session))
        throw new ArcpFault('FAILED_PRECONDITION', 'The question has ended, or there is none.')
      const { type, payload } = prompt.take(command)
      const members = { correlation_id: command.correlation_id, causation_id: command.id }
      if (type !== undefined) prompt.job.emit(type, payload, members, peer)
    },
  }
}

function cancelled(code: string, message: string): Taken {
  return { type: 'human.input.cancelled', payload: { code, message } }
}

function assertFits(schema: JsonSchema, value: unknown): void {
  const errors = checkJson(schema, value)
  if (errors.length > 0) throw wrong(errors)
}

/** A grant that names something else than what was asked is none. */
function assertSame(subject: LeaseSubject, granted: CommandOf<'permission.grant'>['payload']): void {
  const keys = ['permission', 'resource', 'operation'] as const
  const errors = keys
    .filter((key) => granted[key] !== undefined && granted[key] !== subject[key])
    .map((key) => ({ path: `/${key}`, message: 'Is not what was asked for.' }))
  if (errors.length > 0) throw wrong(errors)
}

function grantedSeconds(
  { lease_seconds: seconds, expires_at: end }: CommandOf<'permission.grant'>['payload'],
  now: number,
): number | undefined {
  if (seconds !== undefined && seconds > 0) return seconds
  return end === undefined ? undefined : Math.max(0, (Date.parse(end) - now) / 1000)
}

function wrong(errors: readonly { readonly path: string; readonly message: string }[]): ArcpFault {
  return new ArcpFault('INVALID_ARGUMENT', 'The answer does not fit the question.', { details: { errors } })
}

function notAnAnswer(): ArcpFault {
  return new ArcpFault('INVALID_ARGUMENT', 'This message does not answer that question.')
}
