import * as z from 'zod/mini'
import type { ServiceRequest } from '../../../src/protocols/cap/schema/request.ts'
import type { Agent, AgentRun } from '../../../src/server.ts'
import { event } from '../../../src/server.ts'
import { canAnswer } from '../can-answer.ts'
import type { Summary } from '../docs/compose-summary.ts'
import { asksForSummary, composeSummary } from '../docs/compose-summary.ts'
import type { DocsIndex } from '../docs/docs-index.ts'
import type { Pace } from '../pace.ts'
import { speak } from '../pace.ts'
import { queryOf } from '../query-of.ts'
import type { OutputFolder } from './output-folder.ts'
import { FILE_NAME } from './output-folder.ts'

export interface SummaryAgentOptions {
  readonly index: () => DocsIndex
  readonly folder: OutputFolder
  /** Answers everything else. */
  readonly otherwise: Agent
  readonly pace: Pace
}

const LONGEST_TEXT = 20_000

const EDITABLE = {
  type: 'object',
  required: ['name', 'text'],
  properties: {
    name: {
      type: 'string',
      title: 'File name',
      description: 'Letters, digits, - and _, ending in .md',
      pattern: FILE_NAME,
    },
    text: { type: 'string', title: 'Text', maxLength: LONGEST_TEXT },
  },
} as const

const checkedFile = z.object({ name: z.string(), text: z.string() })

/** Summarizes a page when it is asked to, and offers to write that to a file: nothing is written before the user allows it. */
export function createSummaryAgent({ index, folder, otherwise, pace }: SummaryAgentOptions): Agent {
  return (request, run) => {
    const asked = queryOf(request)
    const summary = asksForSummary(asked) ? composeSummary(index(), asked) : undefined
    return summary === undefined ? otherwise(request, run) : summarize(summary, request, run)
  }

  async function* summarize(summary: Summary, request: ServiceRequest, run: AgentRun) {
    yield* speak(summary.text, run, pace)
    if (!canAnswer(request)) return
    const id = run.uuid()
    const file = { name: summary.fileName, text: summary.text }
    const call = (input: unknown, more: object) =>
      event('TOOL_CALL', { name: 'write_file', arguments: input, ...more }, { id })
    yield call(file, { status: 'waiting' })
    const answer = await run.ask({
      kind: 'approval',
      message: 'May I write this summary to a file?',
      subject: { name: 'write_file', input: file, editable: EDITABLE, toolCallId: id },
    })
    if (answer.type !== 'allowed') {
      yield call(file, { status: 'denied' })
      yield* speak('\n\nI have written nothing.', run, pace)
      return
    }
    const { name, text } = checkedFile.parse(answer.input)
    yield call({ name, text }, { status: 'running' })
    run.signal.throwIfAborted()
    const path = await folder.write(name, text)
    yield call({ name, text }, { result: { path, bytes: Buffer.byteLength(text) } })
    yield* speak(`\n\nWritten to \`${path}\`.`, run, pace)
  }
}
