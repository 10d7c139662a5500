import type { StreamPacket } from '../../src/protocols/cap/schema/packet.ts'
import { postRequest, REQUEST_ID, type Posting } from './peer.ts'

type Handler = (http: Request) => Promise<Response>

export interface Commanding {
  readonly requestId?: string
  readonly headers?: Record<string, string>
}

/** What a control endpoint said. */
export interface Said {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Headers
}

/** A page without a browser: it asks a handler, and sends commands to the run. */
export interface Page {
  assist(posting?: Posting): Promise<Response>
  cancel(commanding?: Commanding): Promise<Said>
  answer(promptId: unknown, answer: object, commanding?: Commanding & { readonly answerId?: string }): Promise<Said>
  say(text: string, commanding?: Commanding & { readonly messageId?: string }): Promise<Said>
  post(path: string, body: unknown, commanding?: Commanding): Promise<Said>
}

export function pageOf(handler: Handler, base = 'https://agent.test/v1'): Page {
  const post = async (
    name: string,
    body: unknown,
    { requestId = REQUEST_ID, headers }: Commanding = {},
  ): Promise<Said> => {
    const response = await handler(
      postRequest(`${base}/runs/${requestId}/${name}`, { body: JSON.stringify(body), ...(headers && { headers }) }),
    )
    return {
      status: response.status,
      body: (await response.json()) as Record<string, unknown>,
      headers: response.headers,
    }
  }
  return {
    post,
    assist: (posting) => handler(postRequest(`${base}/assist`, posting)),
    cancel: (commanding) => post('cancel', {}, commanding),
    answer: (promptId, answer, { answerId = 'answer-1', ...commanding } = {}) =>
      post('answer', { prompt_id: promptId, answer_id: answerId, answer }, commanding),
    say: (text, { messageId = crypto.randomUUID(), ...commanding } = {}) =>
      post('say', { message_id: messageId, text }, commanding),
  }
}

export interface PromptPacket {
  readonly id: string
  readonly type: string
  readonly data: Record<string, unknown> & { readonly subject?: { readonly digest: string } }
}

/** The presentation event of a packet, when it is of that type. */
function eventOf(packet: StreamPacket | undefined, type: string): PromptPacket | undefined {
  if (packet?.op !== 'EVENT' || packet.p['type'] !== type) return undefined
  // What the handler writes is an event with these keys.
  return packet.p as unknown as PromptPacket
}

export function eventsOf(packets: readonly StreamPacket[], type: string): PromptPacket[] {
  return packets.flatMap((packet) => eventOf(packet, type) ?? [])
}

/** Reads up to the next event of a type. */
export async function nextEvent(packets: AsyncIterator<StreamPacket>, type: string): Promise<PromptPacket> {
  for (;;) {
    const step = await packets.next()
    if (step.done === true) throw new Error(`The answer ended without ${type}.`)
    const found = eventOf(step.value, type)
    if (found !== undefined) return found
  }
}

/** A short word for what each packet is. */
export function outline(packets: readonly StreamPacket[]): string[] {
  return packets.map((packet) => {
    if (packet.op === 'EVENT') {
      const { type, data } = packet.p as unknown as PromptPacket
      const word = data['state'] ?? data['text']
      return typeof word === 'string' ? `${type} ${word}` : type
    }
    return packet.op === 'ERROR'
      ? `ERROR ${packet.p.code}`
      : `${packet.op} ${typeof packet.p === 'string' ? packet.p : ''}`
  })
}
