// The clients of others and ours, each asked one question: what it shows when the answer has ended.
import { HttpAgent } from '@ag-ui/client'
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client'
import { AbstractChat, DefaultChatTransport } from 'ai'
import { CAPSTAN_CLIENTS } from './capstan-clients.js'
import { QUESTION } from './wires.js'

/** A chat of the AI SDK, as its hook makes one. */
function askAiSdk(url) {
  class Chat extends AbstractChat {}
  let messages = []
  const state = {
    status: 'ready',
    error: undefined,
    get messages() {
      return messages
    },
    set messages(all) {
      messages = all
    },
    pushMessage: (message) => void (messages = [...messages, message]),
    popMessage: () => void (messages = messages.slice(0, -1)),
    replaceMessage: (at, message) => void (messages = messages.with(at, structuredClone(message))),
    snapshot: (value) => structuredClone(value),
  }
  const chat = new Chat({ id: 'chat', state, transport: new DefaultChatTransport({ api: url }), onError: () => {} })
  return {
    asked: chat.sendMessage({ text: QUESTION }),
    stop: () => chat.stop(),
    shows: () => ({
      status: chat.status,
      error: chat.error?.message,
      text: textOfParts(chat.messages.findLast(({ role }) => role === 'assistant')?.parts),
    }),
  }
}

const textOfParts = (parts = []) => parts.map((part) => part.text ?? part.content ?? '').join('')

function askAgUi(url) {
  const agent = new HttpAgent({ url, threadId: 'thread' })
  agent.addMessage({ id: 'question', role: 'user', content: QUESTION })
  let status = 'running'
  let error
  const asked = agent
    .runAgent({}, { onRunErrorEvent: ({ event }) => void (error = event.message) })
    .then(() => (status = 'resolved'))
    .catch((reason) => {
      status = 'rejected'
      error = reason.message
    })
  return {
    asked,
    stop: () => agent.abortRun(),
    shows: () => ({
      status,
      error,
      text: agent.messages.findLast(({ role }) => role === 'assistant')?.content ?? '',
    }),
  }
}

function askTanStack(url) {
  const client = new ChatClient({ connection: fetchServerSentEvents(url), threadId: 'thread' })
  return {
    asked: client.sendMessage(QUESTION),
    stop: () => client.stop(),
    shows: () => ({
      status: client.getStatus(),
      error: client.getError()?.message,
      text: textOfParts(client.getMessages().findLast(({ role }) => role === 'assistant')?.parts),
    }),
  }
}

/** By name, with the protocol each speaks. */
export const CLIENTS = {
  'ai 7.0.173 (useChat)': { wire: 'ai-sdk', ask: askAiSdk },
  'capstan AiSdkClient': CAPSTAN_CLIENTS['capstan AiSdkClient'],
  '@ag-ui/client 1.0.0': { wire: 'ag-ui', ask: askAgUi },
  '@tanstack/ai-client 0.33.2': { wire: 'ag-ui', ask: askTanStack },
  'capstan AgUiClient': CAPSTAN_CLIENTS['capstan AgUiClient'],
  'capstan CapClient': CAPSTAN_CLIENTS['capstan CapClient'],
}
