// The clients of capstan, each asked one question: what it shows when the answer has ended.
import { AgUiClient } from '../../dist/ag-ui.js'
import { AiSdkClient } from '../../dist/ai-sdk.js'
import { CapClient, createChat, textOf } from '../../dist/index.js'
import { QUESTION } from './wires.js'

/** No pause between attempts: what is compared is the end. */
const environment = { random: () => 0 }

function askCapstan(client) {
  const chat = createChat({ client: () => client, conversationId: crypto.randomUUID() })
  const answer = () => chat.getSnapshot().messages.findLast(({ role }) => role === 'assistant')
  return {
    asked: chat.sendMessage(QUESTION),
    stop: () => chat.stop(),
    shows: () => {
      const message = answer()
      const { error } = chat.getSnapshot()
      return {
        status: message?.status ?? 'not sent',
        error:
          error &&
          [error.code, error.retryAfterMs && `retry after ${error.retryAfterMs / 1000} s`].filter(Boolean).join(', '),
        text: message ? textOf(message) : '',
      }
    },
  }
}

/** By name, with the protocol each speaks. */
export const CAPSTAN_CLIENTS = {
  'capstan AiSdkClient': { wire: 'ai-sdk', ask: (url) => askCapstan(new AiSdkClient({ api: url, environment })) },
  'capstan AgUiClient': { wire: 'ag-ui', ask: (url) => askCapstan(new AgUiClient({ url, environment })) },
  'capstan CapClient': { wire: 'cap', ask: (url) => askCapstan(new CapClient({ baseUrl: url, environment })) },
}
