/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> idle
    idle --> opening: session.open
    state going {
        opening --> accepted: session.accepted
        opening --> challenged: session.challenge
        state answered {
            challenged --> authenticating: session.authenticate
            challenged --> accepted: session.accepted
            authenticating --> accepted: session.accepted
            accepted --> refreshing: session.refresh
            refreshing --> accepted: session.accepted, ack
        }
    }
    answered --> opening: session.open
    going --> rejected: session.rejected
    going --> evicted: session.evicted, session.unauthenticated
    going --> closing: session.close
    going --> idle: left
    closing --> idle: left
    closing --> opening: session.open
    evicted --> opening: session.open
    rejected --> opening: session.open
*/

import type { JsonObject } from '../../../base/json-object.ts'
import type { Usage } from '../../../seam/usage.ts'
import type { FieldError } from '../../../seam/prompt.ts'
import type { ArcpJobState } from '../values/vocabulary.ts'
import type { ArcpArtifactRef, ArcpPayload, ArcpLog, ArcpErrorPayload } from '../schema/payloads.ts'
import type { ArcpCapabilities } from '../schema/session.ts'
import { transitionTable, type TransitionTable } from '../../../base/transition-table.ts'

/** Phase of a session. `idle` before the first one, and while no socket is wanted; the last three are ends. */
export type ArcpSessionPhase =
  | 'idle'
  | 'opening'
  | 'challenged'
  | 'authenticating'
  | 'accepted'
  | 'refreshing'
  | 'closing'
  | 'evicted'
  | 'rejected'

/** The session that the connection has, or had last. */
export interface ArcpSessionState {
  readonly phase: ArcpSessionPhase
  /** Absent: none was accepted yet. */
  readonly id?: string | undefined
  readonly runtime?: ArcpPayload<'session.accepted'>['runtime'] | undefined
  /** What both sides can do. */
  readonly capabilities?: ArcpCapabilities | undefined
  /** RFC 3339. Absent: the session has no end of its own. */
  readonly leaseExpiresAt?: string | undefined
  /** Why it was rejected or evicted. */
  readonly error?: Pick<ArcpErrorPayload, 'code' | 'message'> | undefined
}

/** An entry of a log with its time. */
export interface ArcpLogEntry extends ArcpLog {
  readonly timestamp: string
}

/** A job. Times are as the runtime wrote them (RFC 3339). */
export interface ArcpJob {
  readonly id: string
  readonly state: ArcpJobState
  /** Absent: it was not invoked here. */
  readonly tool?: string | undefined
  /** Id of the message that invoked it. */
  readonly invokeId?: string | undefined
  /** The session under which it runs; in dialect 1.1 `job:` and its id. */
  readonly sessionId?: string | undefined
  /** Id of the last message that came for it. */
  readonly lastMessageId?: string | undefined
  /** 0 to 100. */
  readonly percent?: number | undefined
  readonly current?: number | undefined
  readonly total?: number | undefined
  /** What it does now, as plain text. */
  readonly message?: string | undefined
  readonly acceptedAt?: string | undefined
  readonly startedAt?: string | undefined
  readonly endedAt?: string | undefined
  /** The last sign of life, and how long it holds. */
  readonly heartbeat?: { readonly at: string; readonly sequence: number; readonly deadlineMs: number } | undefined
  readonly checkpointId?: string | undefined
  /** What it took so far, by its metrics. */
  readonly usage?: Usage | undefined
  /** Its last entries, oldest first. */
  readonly logs: readonly ArcpLogEntry[]
  /** Absent: it has not completed. */
  readonly result?: { readonly value?: unknown; readonly ref?: ArcpArtifactRef | undefined } | undefined
  /** Why it failed. */
  readonly error?: ArcpErrorPayload | undefined
  /** Why it was cancelled, and by whom: client, runtime, policy or timeout. */
  readonly cancelled?: { readonly reason?: string | undefined; readonly source?: string | undefined } | undefined
}

/** A stream of a job. */
export interface ArcpStream {
  readonly id: string
  /** Absent: it belongs to no job. */
  readonly jobId?: string | undefined
  /** text, binary, event, log, metric, thought, or what the runtime says. */
  readonly kind: string
  readonly contentType?: string | undefined
  readonly state: 'open' | 'closed' | 'failed'
  /** Text so far, of kinds text and thought; the last million characters. */
  readonly text: string
  /** The runtime does not show all that it thought. */
  readonly redacted?: boolean | undefined
  readonly chunks: number
  /** Number of the last chunk. Absent: they have none. */
  readonly sequence?: number | undefined
  /** Number of the chunk before the first one that is missing. Absent: none is. */
  readonly missingAfter?: number | undefined
  readonly error?: ArcpErrorPayload | undefined
}

/** State of a prompt. `sent`: an answer is on its way. The last five are ends. */
export type ArcpPromptState = 'open' | 'sent' | 'answered' | 'declined' | 'answered-elsewhere' | 'expired' | 'withdrawn'

/** A question to the user: `request` is what was asked. */
export type ArcpPrompt = {
  /** Id of the message that asked. */
  readonly id: string
  readonly jobId?: string | undefined
  readonly state: ArcpPromptState
  /** What the runtime refused of the last answer. */
  readonly errors?: readonly FieldError[] | undefined
} & (
  | { readonly kind: 'input'; readonly request: ArcpPayload<'human.input.request'> }
  | { readonly kind: 'choice'; readonly request: ArcpPayload<'human.choice.request'> }
  | { readonly kind: 'permission'; readonly request: ArcpPayload<'permission.request'> }
)

/** Something that a job is allowed for a time. */
export interface ArcpLease {
  readonly id: string
  /** Absent: it belongs to no job. */
  readonly jobId?: string | undefined
  readonly permission: string
  readonly resource: string
  readonly operation: string
  /** RFC 3339. */
  readonly expiresAt: string
  readonly state: 'active' | 'revoked'
  /** Why it was revoked; `expired` when its time had expired. */
  readonly reason?: string | undefined
}

/** An artifact, without its content. */
export interface ArcpArtifact extends Omit<ArcpArtifactRef, 'data'> {
  readonly jobId?: string | undefined
}

/** All measurements of one name and the same dimensions. */
export interface ArcpMetricSum {
  readonly name: string
  readonly unit?: string | undefined
  readonly dims?: JsonObject | undefined
  readonly sum: number
  readonly last: number
  readonly count: number
}

/** A subscription of this client. */
export interface ArcpSubscriptionState {
  readonly id: string
  readonly state: 'open' | 'closed'
  /** The history has been received. */
  readonly isBackfilled: boolean
  readonly events: number
  readonly reason?: string | undefined
}

/** All that the messages of a client's sessions say: immutable, and new whenever something changed. */
export interface ArcpState {
  readonly session: ArcpSessionState
  readonly jobs: ReadonlyMap<string, ArcpJob>
  readonly streams: ReadonlyMap<string, ArcpStream>
  readonly prompts: ReadonlyMap<string, ArcpPrompt>
  readonly leases: ReadonlyMap<string, ArcpLease>
  readonly artifacts: ReadonlyMap<string, ArcpArtifact>
  /** By name and dimensions. */
  readonly metrics: ReadonlyMap<string, ArcpMetricSum>
  readonly subscriptions: ReadonlyMap<string, ArcpSubscriptionState>
  /** Entries that belong to no job, the last ones, oldest first. */
  readonly logs: readonly ArcpLogEntry[]
}

/** What is known before the first message. */
export const EMPTY_STATE: ArcpState = {
  session: { phase: 'idle' },
  jobs: new Map(),
  streams: new Map(),
  prompts: new Map(),
  leases: new Map(),
  artifacts: new Map(),
  metrics: new Map(),
  subscriptions: new Map(),
  logs: [],
}

/** What moves a session: messages by their type, and `left` when its socket is closed on purpose. */
export type SessionInput =
  | 'session.open'
  | 'session.challenge'
  | 'session.authenticate'
  | 'session.accepted'
  | 'session.rejected'
  | 'session.unauthenticated'
  | 'session.refresh'
  | 'session.evicted'
  | 'session.close'
  | 'ack'
  | 'left'

/** State machine of a session: every phase against every input, a dot where nothing changes. Each new socket opens a new session. */
// oxfmt-ignore
export const SESSION_PHASES: TransitionTable<ArcpSessionPhase, SessionInput> = /* @__PURE__ */ transitionTable(
                               ['idle',    'opening',    'challenged',     'authenticating', 'accepted',   'refreshing', 'closing', 'evicted', 'rejected'],
  {
    'session.open':            ['opening', 'opening',    'opening',        'opening',        'opening',    'opening',    'opening', 'opening', 'opening'],
    'session.challenge':       ['.',       'challenged', '.',              '.',              '.',          '.',          '.',       '.',       '.'],
    'session.authenticate':    ['.',       '.',          'authenticating', '.',              '.',          '.',          '.',       '.',       '.'],
    'session.accepted':        ['.',       'accepted',   'accepted',       'accepted',       '.',          'accepted',   '.',       '.',       '.'],
    'session.rejected':        ['.',       'rejected',   'rejected',       'rejected',       'rejected',   'rejected',   '.',       '.',       '.'],
    'session.unauthenticated': ['.',       'evicted',    'evicted',        'evicted',        'evicted',    'evicted',    '.',       '.',       '.'],
    'session.refresh':         ['.',       '.',          '.',              '.',              'refreshing', '.',          '.',       '.',       '.'],
    'session.evicted':         ['.',       'evicted',    'evicted',        'evicted',        'evicted',    'evicted',    '.',       '.',       '.'],
    'session.close':           ['.',       'closing',    'closing',        'closing',        'closing',    'closing',    '.',       '.',       '.'],
    ack:                       ['.',       '.',          '.',              '.',              '.',          'accepted',   '.',       '.',       '.'],
    left:                      ['.',       'idle',       'idle',           'idle',           'idle',       'idle',       'idle',    '.',       '.'],
  },
)
