import { type ArcpClient, toolClient } from '../../../src/protocols/arcp/client/arcp-client.ts'
import type { Ending } from '../../../src/session/connection.ts'
import { openRun } from '../../../src/session/session.ts'
import type { ResumePoint } from '../../../src/session/resume-point.ts'
import { createResumePoint } from '../../../src/session/resume-point.ts'
import type { Session } from '../../../src/session/agent-client.ts'

/** A job as its page shows it, over reloads. */
export interface ShownRun {
  /** The number of the job. */
  readonly at: number
  readonly text: string
  /** State of each question, by its id. */
  readonly prompts: ReadonlyMap<string, string>
  readonly ending: Ending | undefined
  isStopped: boolean
  /** Its session on the page that there is; undefined when it had ended before that was loaded. */
  session: Session | undefined
  /** Opens it on a client, as another page that has only what was stored. */
  reopen(arcp: ArcpClient): void
}

export function showRun(client: ArcpClient, at: number): ShownRun {
  const prompts = new Map<string, string>()
  let text = ''
  let ending: Ending | undefined
  let resumePoint: ResumePoint = createResumePoint()
  function open(arcp: ArcpClient): Session {
    const own = openRun({
      client: toolClient(arcp, { tool: 'count', toArguments: () => ({}) }),
      request: { tool: 'count', arguments: { at }, idempotencyKey: `r${at}` },
      requestId: `r${at}`,
      resumePoint,
      onEvents(events) {
        for (const { event } of events) {
          if (event.type === 'text') text += event.text
          if (event.type === 'prompt') prompts.set(event.prompt.id, 'open')
          if (event.type === 'prompt-settled') prompts.set(event.promptId, event.state)
        }
      },
      onEnded(how) {
        ending = how
      },
    })
    own.start()
    return own
  }

  const run: ShownRun = {
    at,
    prompts,
    isStopped: false,
    session: open(client),
    get text() {
      return text
    },
    get ending() {
      return ending
    },
    reopen(arcp) {
      resumePoint = { ...structuredClone(resumePoint), restored: true }
      run.session = open(arcp)
    },
  }
  return run
}
