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
    going --> cancelled: cancel
*/
import { transitionTable } from '../../../base/transition-table.ts'
import type { TransitionTable } from '../../../base/transition-table.ts'

/** Where a job of the runtime is (RFC section 10.2); it never queues or pauses one. */
export type RuntimeJobState = 'accepted' | 'running' | 'blocked' | 'completed' | 'failed' | 'cancelled'

/** What moves a job. */
export type JobInput = 'start' | 'ask' | 'answered' | 'complete' | 'fail' | 'cancel'

/** State machine of a job: the first end holds. `answered` comes when nothing is asked any more. */
// oxfmt-ignore
export const RUNTIME_JOB_STATES: TransitionTable<RuntimeJobState, JobInput> = /* @__PURE__ */ transitionTable(
               ['accepted',  'running',   'blocked',   'completed', 'failed', 'cancelled'],
  {
    start:     ['running',   '.',         '.',         '.',         '.',      '.'],
    ask:       ['.',         'blocked',   '.',         '.',         '.',      '.'],
    answered:  ['.',         '.',         'running',   '.',         '.',      '.'],
    complete:  ['completed', 'completed', 'completed', '.',         '.',      '.'],
    fail:      ['failed',    'failed',    'failed',    '.',         '.',      '.'],
    cancel:    ['cancelled', 'cancelled', 'cancelled', '.',         '.',      '.'],
  },
)

/** Whether a job has ended. */
export function isEnded(state: RuntimeJobState): boolean {
  return state === 'completed' || state === 'failed' || state === 'cancelled'
}
