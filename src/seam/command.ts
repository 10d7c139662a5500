import type { LeaseChange } from './lease.ts'
import type { FieldError, PromptAnswer, PromptEnd } from './prompt.ts'

/**
 * What a user wants of a run that has begun. Commands are idempotent by their id: one that is sent again under the same
 * `answerId`, `messageId` or `changeId` is done once.
 */
export type Command = {
  readonly requestId: string
  /** What the protocol gave last as its memory of the run; see `Batch.handle`. Absent: it gave none. */
  readonly handle?: unknown
} & (
  | { /** `cancel` ends the run, `interrupt` what the agent does right now. */ readonly type: 'cancel' | 'interrupt' }
  | { readonly type: 'answer'; readonly promptId: string; readonly answerId: string; readonly answer: PromptAnswer }
  | {
      /** A message into the running answer (steering). */ readonly type: 'say'
      readonly messageId: string
      readonly text: string
    }
  | {
      /** Changes what the user has allowed for a time. */
      readonly type: 'lease'
      readonly leaseId: string
      readonly changeId: string
      readonly change: LeaseChange
    }
  | { /** Begins a run on a connection that carries many. */ readonly type: 'begin'; readonly request: unknown }
)

/** Outcome of a command that arrived. If delivery is unknown, the outcome is an AgentError. */
export type CommandResult =
  | { readonly result: 'accepted' }
  /** This agent has no such command: a known fact, no failure. */
  | { readonly result: 'unsupported' }
  /** The run, the prompt or the answer was settled before. The event that settles it reports how. */
  | {
      readonly result: 'too-late'
      /** How the prompt ended, without this command. Absent: the agent did not report it, and the command may have been carried out before. */
      readonly end?: PromptEnd | undefined
      /** Id of the answer that was taken. Absent: none is known. */
      readonly answerId?: string | undefined
    }
  | { readonly result: 'invalid'; readonly errors: readonly FieldError[] }
