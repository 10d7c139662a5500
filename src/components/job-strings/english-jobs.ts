import { number, plural, time } from '../dictionary/english-measures.ts'
import type { JobStrings } from './job-strings.ts'

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
