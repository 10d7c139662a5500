import { textOf, type ChatMessage } from '../../../src/index.ts'
import { isAgentError } from '../../../src/base/agent-error.ts'
import type { ModelTools } from '../../../src/server-models.ts'
import type { AgentOutput, AgentRun } from '../../../src/server.ts'
import { promptsOf } from '../../../src/state/prompts.ts'
import { eventually } from '../../support/eventually.ts'
import { openModelPage } from '../ask-agent.ts'
import { serveVendor, type VendorAnswer } from '../vendor-server.ts'
import { createRowTools } from './row-tools.ts'

/** One answer of a model helper: what the vendor's server sends, and what must come of it. */
export interface ModelRow {
  /** What the vendor sends, in words. Unique among the rows of a helper. */
  readonly input: string
  /** The responses to the first request, the second and so on. The last one is repeated. */
  readonly answers: readonly VendorAnswer[]
  /** Options of the helper, besides its tools. @default {} */
  readonly options?: Readonly<Record<string, unknown>>
  /** Tools of `createRowTools` that the helper is given. @default all */
  readonly tools?: readonly string[]
  /** What the user decides about each approval, in order. @default none is asked */
  readonly decides?: readonly ('allow' | 'reject')[]
  /** `complete`, or words of the error that `onError` gets. */
  readonly ends: string
  /** The parts of the answer: see `showParts`. */
  readonly shows: readonly string[]
  /** Calls that tools received: name and input. @default [] */
  readonly runs?: readonly string[]
  /** What the last request sends beyond the first one, an entry for each item. @default [] */
  readonly sends?: readonly string[]
  /** How many requests the vendor receives. Absent: not compared. */
  readonly requests?: number
}

/** A model helper behind the real SDK of its vendor, and its rows. */
export interface ModelHelper {
  readonly name: string
  readonly rows: readonly ModelRow[]
  /** @param origin of a server that sends the answers of the row */
  answer(
    run: AgentRun,
    origin: string,
    tools: ModelTools,
    options: Readonly<Record<string, unknown>>,
  ): Promise<AsyncGenerator<AgentOutput, unknown>>
  /** The messages or items of a request, an entry for each. */
  entriesOf(body: Readonly<Record<string, unknown>>): readonly string[]
}

/** The outcome of a row. */
export interface RowOutcome {
  readonly ends: string
  readonly shows: readonly string[]
  readonly runs: readonly string[]
  readonly sends: readonly string[]
  readonly requests: number
}

export async function playRow(helper: ModelHelper, row: ModelRow): Promise<RowOutcome> {
  const last = row.answers.at(-1)
  const server = await serveVendor((ordinal) => row.answers[ordinal] ?? last ?? { status: 500, body: {} })
  const { tools, ran } = createRowTools(row.tools)
  const { chat, answer, reported } = openModelPage<unknown>((run) =>
    helper.answer(run, server.origin, tools, row.options ?? {}),
  )
  const ended = chat.sendMessage('Go')
  for (const [at, decision] of (row.decides ?? []).entries()) {
    await eventually(() => {
      if (promptsOf(answer())[at]?.state !== 'open') throw new Error(`Approval ${at + 1} is not open.`)
    })
    const prompt = promptsOf(answer())[at]
    const optionId = decision === 'allow' ? 'allow-once' : 'reject-once'
    await chat.answer(prompt?.id ?? '', { type: 'option', optionId, digest: prompt?.subject?.digest })
  }
  await ended
  const first = helper.entriesOf(server.bodies[0] ?? {})
  // Those before it are of tools.
  const error = reported.at(-1)
  const { status } = answer()
  return {
    ends: status === 'failed' ? `fails: ${messageOf(error)}` : status,
    shows: showParts(answer()),
    runs: ran,
    sends: helper.entriesOf(server.bodies.at(-1) ?? {}).slice(first.length),
    requests: server.bodies.length,
  }
}

function messageOf(error: unknown): string {
  if (!isAgentError(error)) return error instanceof Error ? error.message : String(error)
  const reason = error.message.replace('The model has not answered to the end: ', '')
  return error.agentCode === undefined ? reason : `${error.agentCode}: ${reason}`
}

/** The parts of an answer, an entry for each. */
function showParts(message: ChatMessage): string[] {
  return message.parts.map((part) => {
    switch (part.type) {
      case 'text':
        return textOf({ ...message, parts: [part] })
      case 'thought':
        return `[thought ${part.status ?? ''}] ${part.text}`
      case 'tool-call':
        return `[${part.name} ${part.status}] ${JSON.stringify(part.input)}${part.output === undefined ? '' : ` -> ${JSON.stringify(part.output)}`}`
      case 'citations':
        return `[sources] ${part.citations.map(({ title, uri }) => `${title} <${uri}>`).join(', ')}`
      case 'media':
        return `[media] ${part.items.map(({ mimeType }) => mimeType).join(', ')}`
      case 'prompt':
        return `[prompt ${part.prompt.state}] ${part.prompt.message}`.trimEnd()
      default:
        return `[${part.type}]`
    }
  })
}
