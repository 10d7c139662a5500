import { type ArcpClient, toolClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import type { AgentEvent } from '../../../../src/seam/agent-event.ts'
import type { Ending } from '../../../../src/session/connection.ts'
import { openRun } from '../../../../src/session/session.ts'
import type { ResumePoint } from '../../../../src/session/resume-point.ts'
import type { Session } from '../../../../src/session/agent-client.ts'
import { settle } from '../../../support/manual-clock.ts'
import type { ManualEnvironment } from '../../../support/manual-environment.ts'

/** A client of the tool that the tests ask. */
export function assistantOf(arcp: ArcpClient): ReturnType<typeof toolClient> {
  return toolClient(arcp, { tool: 'assistant', toArguments: ({ text }) => ({ question: text }) })
}

/** All that is under way comes to rest, modules that are loaded on demand included, and is painted. */
export async function settlePage(environment: ManualEnvironment): Promise<void> {
  for (let turn = 0; turn < 8; turn++) {
    await settle()
    environment.paint()
  }
}

/** One page that reads a run: what it was told. */
export interface RunPage {
  readonly session: Session
  readonly events: AgentEvent[]
  readonly endings: Ending[]
  readonly resumePoint: ResumePoint
}

/** Opens a run on a page, new or where the one before has left it. It has begun only once all is at rest. */
export async function openRunPage(
  client: ReturnType<typeof toolClient>,
  resumePoint: ResumePoint,
  requestId = 'r1',
): Promise<RunPage> {
  const events: AgentEvent[] = []
  const endings: Ending[] = []
  const request = await client.createRequest({ text: 'Why?', conversationId: 'c1', requestId })
  const session = openRun({
    client,
    request,
    requestId,
    resumePoint,
    onEvents: (more) => void events.push(...more.map(({ event }) => event)),
    onEnded: (ending) => void endings.push(ending),
  })
  session.start()
  return { session, events, endings, resumePoint }
}

/** What the next page finds of the run. */
export function storedPoint({ resumePoint }: RunPage): ResumePoint {
  return { ...structuredClone(resumePoint), restored: true }
}

/** The text that a page was told. */
export function saidOn({ events }: RunPage): string {
  return events.map((event) => (event.type === 'text' ? event.text : '')).join('')
}
