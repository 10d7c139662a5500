import { AgentCard, formatSSEErrorEvent, formatSSEEvent, SSE_HEADERS } from '@a2a-js/sdk'
import {
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server'
import type { AgentExecutor } from '@a2a-js/sdk/server'

/** A2A 1.0 over JSON-RPC, with the card of the agent. */
export interface A2AEndpoint {
  /** The card at this origin. */
  card(origin: string): Response
  /** Answers one call, whose body was read. */
  call(body: Readonly<Record<string, unknown>>, version: string): Promise<Response>
}

const SKILLS = [
  {
    id: 'docs',
    name: 'Ask the docs',
    description: 'Answers from the documentation of capstan and names its sources.',
    tags: ['docs'],
    examples: ['How does reconnection work?', 'Summarize the page about tabs'],
  },
  {
    id: 'files',
    name: 'Read a file',
    description: 'Answers from a text file that comes with the question.',
    tags: ['files'],
    examples: ['How old does an oxbow lake become?'],
  },
]

const A2A_ADDRESS = '/a2a'
export const A2A_CARD_ADDRESS = '/a2a/.well-known/agent-card.json'

export function createA2AEndpoint(executor: AgentExecutor): A2AEndpoint {
  const cardOf = (origin: string): AgentCard =>
    AgentCard.fromJSON({
      name: 'capstan docs',
      description: 'The docs of capstan, as an agent of A2A.',
      version: '0.1.0',
      supportedInterfaces: [{ url: `${origin}${A2A_ADDRESS}`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
      capabilities: { streaming: true, pushNotifications: false },
      defaultInputModes: ['text/plain', 'text/markdown'],
      defaultOutputModes: ['text/markdown'],
      skills: SKILLS,
    })
  const requestHandler = new DefaultRequestHandler(cardOf(''), new InMemoryTaskStore(), executor)
  const handler = new JsonRpcTransportHandler(requestHandler)

  return {
    card: (origin) => Response.json(AgentCard.toJSON(cardOf(origin)), { headers: { 'cache-control': 'no-cache' } }),
    async call(body, version) {
      const { id } = body
      const failed = (error: unknown): object => ({
        jsonrpc: '2.0',
        id: typeof id === 'number' || typeof id === 'string' ? id : null,
        error: JsonRpcTransportHandler.mapToJSONRPCError(error),
      })
      try {
        const result = await handler.handle(body, new ServerCallContext({ requestedVersion: version }))
        if (!(Symbol.asyncIterator in result)) return Response.json(result)
        // An error before the first event is JSON, as the routes of the SDK have it.
        const first = await result.next()
        return new Response(streamOf(first, result, failed), { headers: SSE_HEADERS })
      } catch (error) {
        return Response.json(failed(error))
      }
    },
  }
}

type Events = AsyncGenerator<unknown, void>

/** The events as an event stream. They are read to their end, also when nobody listens any more: that is what the task lives on. */
function streamOf(
  first: IteratorResult<unknown, void>,
  rest: Events,
  failed: (error: unknown) => object,
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder()
  let isHeard = true
  return new ReadableStream({
    start(controller) {
      const say = (text: string): void => {
        if (isHeard) controller.enqueue(utf8.encode(text))
      }
      const readAll = async (): Promise<void> => {
        try {
          for (let step = first; step.done !== true; step = await rest.next()) say(formatSSEEvent(step.value))
        } catch (error) {
          say(formatSSEErrorEvent(failed(error)))
        }
        if (isHeard) controller.close()
      }
      void readAll()
    },
    cancel() {
      isHeard = false
    },
  })
}
