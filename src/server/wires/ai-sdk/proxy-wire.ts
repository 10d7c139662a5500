import { invalidRequest } from '../../http/incoming-call.ts'
import { type ProxyWire, type RunName, type StreamEnding, readData } from '../proxy-wire.ts'

const MARK = 'x-vercel-ai-ui-message-stream'
const DONE = '[DONE]'

/** `{api}/{id}/stream` and `{api}/{id}/stop`, as the guide of the AI SDK has them. */
const OF_A_CHAT = /\/([^/]+)\/(?:stream|stop)$/

/**
 * The UI message stream of the AI SDK 5, 6 and 7. Its requests name a chat. Which run of the chat is meant, `X-Run-Id` says, where a
 * client sends it.
 */
export const aiSdkProxyWire: ProxyWire = {
  runIds: [],
  headers: { [MARK]: 'v1' },
  isStream: (headers) => headers.get(MARK) === 'v1',
  endsFrames: false,
  routesOf(pathname) {
    if (pathname.endsWith('/stream')) return { GET: 'follow' }
    return pathname.endsWith('/stop') ? { POST: 'stop' } : { POST: 'run' }
  },
  nameOfRun({ id }, header) {
    if (typeof id !== 'string' || id === '') throw invalidRequest('The request body has no id of a chat.')
    return { thread: id, run: header('x-run-id') ?? undefined }
  },
  nameToFollow: (url, header) => chatIn(url, header('x-run-id') ?? undefined),
  nameToStop: (url) => chatIn(url, undefined),
  stopsByBody: false,
  // What a chat without a stream answers in the guide of the AI SDK.
  nothing: 204,
  createEnding: aiSdkEnding,
}

function chatIn({ pathname }: URL, run: string | undefined): RunName {
  const [, chat = ''] = OF_A_CHAT.exec(pathname) ?? []
  try {
    return { thread: decodeURIComponent(chat), run }
  } catch {
    return { thread: chat, run }
  }
}

const BEGINS = /^(text|reasoning|tool-input)-start$/
const ENDS = /^(text|reasoning)-end$|^(tool-input)-(?:available|error)$/

function aiSdkEnding(): StreamEnding {
  let hasFinished = false
  let isOver = false
  let hasParts = false
  /** `[DONE]` was the last frame. Servers that join several streams send more behind it. */
  let isDone = false
  /** Texts, reasoning and inputs of calls that are still coming, by kind and id. */
  const open = new Set<string>()

  return {
    take(data) {
      isDone = data === DONE
      const chunk = readData(data)
      const type = chunk?.['type']
      // What cannot be read is passed on: the page says what is wrong with it.
      if (chunk === undefined || typeof type !== 'string' || isOver) return 'log'
      const id = JSON.stringify(chunk['toolCallId'] ?? chunk['id'])
      const [, begun] = BEGINS.exec(type) ?? []
      if (begun !== undefined) open.add(`${begun} ${id}`)
      const [, ended = '', called = ''] = ENDS.exec(type) ?? []
      open.delete(`${ended || called} ${id}`)
      if (!/^(?:start|start-step|finish-step|message-metadata)$/.test(type)) hasParts = true
      if (type === 'finish') hasFinished = true
      // Servers join the streams of several models.
      if (type === 'start' || type === 'start-step') hasFinished = false
      if (type === 'error' || type === 'abort') isOver = true
      return 'log'
    },
    // LangChain and LlamaIndex say nothing but `[DONE]`, when every part is closed.
    isOver: () => isOver || hasFinished || (isDone && hasParts && open.size === 0),
    fail: ({ message }) => [JSON.stringify({ type: 'error', errorText: message })],
    get last() {
      return isDone ? [] : [DONE]
    },
  }
}
