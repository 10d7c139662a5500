import { isJsonObject, type JsonObject } from '../../../base/json-object.ts'
import { invalidRequest } from '../../http/incoming-call.ts'
import { type ProxyWire, type StreamEnding, readData } from '../proxy-wire.ts'

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

/** Events that take back the end of a run: its tool loop continues. */
const SPEECH = /^(?:TEXT|TOOL|REASONING|SUBAGENT|STEP)_/

function agUiEnding({ tools }: JsonObject): StreamEnding {
  const pageTools = new Set((Array.isArray(tools) ? tools.filter(isJsonObject) : []).map((tool) => tool['name']))
  let terminal: 'finished' | 'failed' | undefined
  /** Calls of the server without a result. */
  const owed = new Set<unknown>()

  /** A run that asks, or leaves its calls to the page, owes no result. */
  function finish({ outcome }: JsonObject): void {
    const { type, pendingToolCallIds } = isJsonObject(outcome) ? outcome : {}
    if (type === 'interrupt') owed.clear()
    if (Array.isArray(pendingToolCallIds)) for (const id of pendingToolCallIds) owed.delete(id)
    terminal = 'finished'
  }

  function takeItem(event: JsonObject, type: string): void {
    const { toolCallId } = event
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
      if (type === 'RUN_STARTED') terminal = undefined
      else if (terminal === 'failed') return 'log'
      else if (type === 'RUN_ERROR') terminal = 'failed'
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
