import { isJsonObject, type JsonObject } from '../../base/json-object.ts'
import { invalidRequest } from '../http/read-json-body.ts'
import type { ProxyWire, StreamEnding } from './proxy-wire.ts'
import { readData } from './read-data.ts'

const ROUTES = { POST: 'run', GET: 'follow' } as const
const STOP = { POST: 'stop' } as const

/** AG-UI 1.0: runs are named by `runId`, in the body of a POST and in the query of a GET. */
export const agUiProxyWire: ProxyWire = {
  runIds: ['runId', 'parentRunId'],
  headers: {},
  isStream: () => false,
  endsFrames: true,
  routesOf: (pathname) => (pathname.endsWith('/stop') ? STOP : ROUTES),
  nameOfRun({ threadId, runId }) {
    if (typeof runId !== 'string' || runId === '' || typeof threadId !== 'string')
      throw invalidRequest('The request body is no RunAgentInput of AG-UI: threadId or runId is missing.')
    return { thread: undefined, run: runId }
  },
  nameToFollow(url) {
    const run = url.searchParams.get('runId')
    if (run === null || run === '') throw invalidRequest('The address names no run. Add ?runId=… to it.')
    return { thread: undefined, run }
  },
  nameToStop(_url, body) {
    const run = body?.['runId']
    if (typeof run !== 'string' || run === '') throw invalidRequest('The request body has no runId.')
    return { thread: undefined, run }
  },
  stopsByBody: true,
  createEnding: agUiEnding,
}

/** Events that take back the end of a run: its tool loop goes on. */
const SPEECH = /^(?:TEXT|TOOL|REASONING|SUBAGENT|STEP)_/
const BEGINS = /^(TEXT_MESSAGE|TOOL_CALL|REASONING_MESSAGE|REASONING|STEP|SUBAGENT)_(START|STARTED)$/
const ENDS = /^(TEXT_MESSAGE|TOOL_CALL|REASONING_MESSAGE|REASONING|STEP|SUBAGENT)_(END|FINISHED|ERROR)$/

function agUiEnding({ threadId, runId, tools }: JsonObject): StreamEnding {
  const pageTools = new Set((Array.isArray(tools) ? tools.filter(isJsonObject) : []).map((tool) => tool['name']))
  let hasBegun = false
  let terminal: 'finished' | 'failed' | undefined
  /** What ends each item that is open, by its kind and id. */
  const open = new Map<string, JsonObject>()
  /** Calls of the server without a result. */
  const owed = new Set<unknown>()

  function enter(next: typeof terminal): void {
    terminal = next
    open.clear()
  }

  /** A run that asks, or leaves its calls to the page, owes no result. */
  function finish({ outcome }: JsonObject): void {
    const { type, pendingToolCallIds } = isJsonObject(outcome) ? outcome : {}
    if (type === 'interrupt') owed.clear()
    if (Array.isArray(pendingToolCallIds)) for (const id of pendingToolCallIds) owed.delete(id)
    enter('finished')
  }

  function takeItem(event: JsonObject, type: string): void {
    const { toolCallId } = event
    const [, begun] = BEGINS.exec(type) ?? []
    if (begun !== undefined) open.set(keyOf(begun, event), endOf(begun, event))
    const [, ended] = ENDS.exec(type) ?? []
    if (ended !== undefined) open.delete(keyOf(ended, event))
    const isCall = type === 'TOOL_CALL_START' || (type === 'TOOL_CALL_CHUNK' && toolCallId !== undefined)
    if (isCall && !pageTools.has(event['toolCallName'])) owed.add(toolCallId)
    if (type === 'TOOL_CALL_RESULT') owed.delete(toolCallId)
  }

  return {
    take(data) {
      if (data === '' || data === '[DONE]') return 'skip'
      const event = readData(data)
      const type = event?.['type']
      // What cannot be read is passed on: the page says what is wrong with it.
      if (event === undefined || typeof type !== 'string') return 'log'
      if (type === 'RUN_STARTED') {
        hasBegun = true
        enter(undefined)
      } else if (terminal === 'failed') return 'log'
      else if (type === 'RUN_ERROR') enter('failed')
      else if (type === 'RUN_FINISHED') finish(event)
      else {
        if (terminal === 'finished' && SPEECH.test(type)) terminal = undefined
        takeItem(event, type)
        if (type === 'MESSAGES_SNAPSHOT') for (const id of answeredIn(event['messages'])) owed.delete(id)
      }
      return 'log'
    },
    // A connection that breaks behind the end of a run may have broken in the middle of its tool loop.
    isOver: (end) => terminal === 'failed' || (terminal === 'finished' && (end !== 'broken' || owed.size === 0)),
    cancel: () =>
      [
        ...(hasBegun ? [] : [{ type: 'RUN_STARTED', threadId, runId }]),
        ...[...open.values()].toReversed(),
        { type: 'RUN_FINISHED', threadId, runId, outcome: { type: 'cancelled' } },
      ].map((event) => JSON.stringify(event)),
    fail: ({ code, message }) => [JSON.stringify({ type: 'RUN_ERROR', message, code })],
    last: [],
  }
}

/** Ids of the calls that have a result in these messages. */
function answeredIn(messages: unknown): readonly unknown[] {
  return (Array.isArray(messages) ? messages.filter(isJsonObject) : []).flatMap(({ role, toolCallId }) =>
    role === 'tool' ? [toolCallId] : [],
  )
}

function keyOf(kind: string, { messageId, toolCallId, stepName, subagentRunId }: JsonObject): string {
  if (kind === 'TOOL_CALL') return JSON.stringify([kind, toolCallId])
  if (kind === 'STEP') return JSON.stringify([kind, stepName, subagentRunId])
  return JSON.stringify([kind, kind === 'SUBAGENT' ? subagentRunId : messageId])
}

function endOf(kind: string, { messageId, toolCallId, stepName, subagentRunId }: JsonObject): JsonObject {
  // JSON has no members that are undefined.
  if (kind === 'TOOL_CALL') return { type: 'TOOL_CALL_END', toolCallId, subagentRunId }
  if (kind === 'STEP') return { type: 'STEP_FINISHED', stepName, subagentRunId }
  if (kind === 'SUBAGENT') return { type: 'SUBAGENT_ERROR', subagentRunId, message: 'The run was stopped.' }
  return { type: `${kind}_END`, messageId, subagentRunId }
}
