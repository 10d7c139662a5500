import { number, plural, time } from './english-measures.ts'

/** Where a job is, and `stale` when it has given no sign of life for too long. */
export type JobState =
  | 'accepted'
  | 'queued'
  | 'running'
  | 'blocked'
  | 'paused'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'stale'

/** Where a session with a runtime is. `reconnecting`: its connection was lost, and another one is made. */
export type SessionPhase =
  | 'idle'
  | 'opening'
  | 'challenged'
  | 'authenticating'
  | 'accepted'
  | 'refreshing'
  | 'reconnecting'
  | 'closing'
  | 'evicted'
  | 'rejected'

/** How grave an entry of a log is. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'critical'

/** Words of jobs, sessions, logs, meters and subscriptions. */
export interface JobStrings {
  readonly states: Readonly<Record<JobState, string>>
  readonly job: {
    /** Name of a job that has none. */
    readonly title: string
    /** Accessible name of the bar. */
    readonly progress: string
    readonly amount: (current: number, total: number) => string
    readonly stop: string
    /** The runtime was asked to stop it and has not confirmed yet. */
    readonly stopping: string
    readonly interrupt: string
    readonly retry: string
    readonly code: (code: string) => string
  }
  readonly session: {
    readonly phases: Readonly<Record<SessionPhase, string>>
    readonly connect: string
    readonly close: string
    readonly retry: string
    readonly endsIn: (ms: number) => string
    readonly retryIn: (ms: number) => string
    /** Accessible name of the list of what both sides can do. */
    readonly capabilities: string
  }
  readonly log: { readonly label: string; readonly levels: Readonly<Record<LogLevel, string>>; readonly empty: string }
  readonly usage: {
    readonly tokens: string
    readonly input: (count: number) => string
    readonly output: (count: number) => string
    readonly total: (count: number) => string
    readonly cost: string
    /** @param spent what was taken, as it is shown */
    readonly ofLimit: (spent: string, limit: string) => string
    /** More was taken than the limit. */
    readonly over: string
    /** A number in the language. */
    readonly number: (value: number) => string
  }
  readonly subscription: {
    readonly label: string
    readonly states: Readonly<Record<'opening' | 'backfilling' | 'open' | 'closed' | 'failed', string>>
    /** Divider between history and new events. */
    readonly fresh: string
    readonly empty: string
    readonly dropped: (count: number) => string
    readonly close: string
  }
}

/** The strings of jobs in English. */
export const englishJobs: JobStrings = {
  states: {
    accepted: 'Accepted',
    queued: 'Queued',
    running: 'Running',
    blocked: 'Waiting for an answer',
    paused: 'Paused',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
    stale: 'Not responding',
  },
  job: {
    title: 'Job',
    progress: 'Progress',
    amount: (current, total) => `${number(current)} of ${number(total)}`,
    stop: 'Stop job',
    stopping: 'Stopping…',
    interrupt: 'Interrupt',
    retry: 'Run again',
    code: (code) => `Code: ${code}`,
  },
  session: {
    phases: {
      idle: 'Not connected',
      opening: 'Connecting',
      challenged: 'Verifying',
      authenticating: 'Signing in',
      accepted: 'Connected',
      refreshing: 'Renewing sign-in',
      reconnecting: 'Reconnecting',
      closing: 'Disconnecting',
      evicted: 'Session ended',
      rejected: 'Connection refused',
    },
    connect: 'Connect',
    close: 'Disconnect',
    retry: 'Retry now',
    endsIn: (ms) => `Session ends in ${time(ms)}`,
    retryIn: (ms) => `Next attempt in ${time(ms)}`,
    capabilities: 'Capabilities',
  },
  log: {
    label: 'Log',
    levels: { trace: 'Trace', debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error', critical: 'Critical' },
    empty: 'No log entries yet',
  },
  usage: {
    tokens: 'Tokens',
    input: (count) => `${number(count)} in`,
    output: (count) => `${number(count)} out`,
    total: (count) => plural(count, { one: '# token', other: '# tokens' }),
    cost: 'Cost',
    ofLimit: (spent, limit) => `${spent} of ${limit}`,
    over: 'Over the limit',
    number,
  },
  subscription: {
    label: 'Events',
    states: {
      opening: 'Subscribing',
      backfilling: 'Loading earlier events',
      open: 'Up to date',
      closed: 'Subscription ended',
      failed: "Couldn't subscribe",
    },
    fresh: 'New events',
    empty: 'No events yet',
    dropped: (count) =>
      plural(count, { one: '# earlier event is no longer shown', other: '# earlier events are no longer shown' }),
    close: 'Unsubscribe',
  },
}
