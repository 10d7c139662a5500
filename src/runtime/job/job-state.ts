/*
The state machine of this file. A test holds the diagram to the table.

stateDiagram-v2
    [*] --> accepted
    state going {
        accepted --> running: start
        running --> blocked: ask
        blocked --> running: answered
    }
    going --> completed: complete
    going --> failed: fail
    going --> stopping: cancel
    stopping --> cancelled: returned
    stopping --> failed: fail
*/
import { transitionTable } from '../../base/transition-table.ts'
import type { TransitionTable } from '../../base/transition-table.ts'

/** Where a job of the runtime is (RFC section 10.2); it never queues or pauses one. `stopping`: cancelled, and its tool has not returned. */
export type RuntimeJobState = 'accepted' | 'running' | 'blocked' | 'stopping' | 'completed' | 'failed' | 'cancelled'

/** What moves a job. */
export type JobInput = 'start' | 'ask' | 'answered' | 'complete' | 'fail' | 'cancel' | 'returned'

/** State machine of a job: the first end holds. `answered` comes when nothing is asked any more. */
// oxfmt-ignore
export const RUNTIME_JOB_STATES: TransitionTable<RuntimeJobState, JobInput> = /* @__PURE__ */ transitionTable(
               ['accepted',  'running',   'blocked',   'stopping',  'completed', 'failed', 'cancelled'],
  {
    start:     ['running',   '.',         '.',         '.',         '.',         '.',      '.'],
    ask:       ['.',         'blocked',   '.',         '.',         '.',         '.',      '.'],
    answered:  ['.',         '.',         'running',   '.',         '.',         '.',      '.'],
    complete:  ['completed', 'completed', 'completed', '.',         '.',         '.',      '.'],
    fail:      ['failed',    'failed',    'failed',    'failed',    '.',         '.',      '.'],
    cancel:    ['stopping',  'stopping',  'stopping',  '.',         '.',         '.',      '.'],
    returned:  ['.',         '.',         '.',         'cancelled', '.',         '.',      '.'],
  },
)

/** Whether a job has ended. */
export function isEnded(state: RuntimeJobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}

/** Whether what a job emits still counts: it has neither ended nor been cancelled. */
export function isGoing(state: RuntimeJobState): state is 'accepted' | 'running' | 'blocked' {
  return state !== 'stopping' && !isEnded(state)
}
