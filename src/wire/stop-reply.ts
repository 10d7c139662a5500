import type { TransportAnswer } from './transport.ts'
import type { CommandReply } from './command-reply.ts'
import { notTheAgent, readCommandReply } from './command-reply.ts'

/** The reply of an endpoint that stops runs: its body confirms the stop, or `fault` is why it does not. */
export async function readStopReply(answer: TransportAnswer): Promise<CommandReply> {
  const reply = await readCommandReply(answer)
  if (reply.body === undefined || reply.body.result === 'accepted' || reply.body.stopped === true) return reply
  return { fault: notTheAgent(answer, JSON.stringify(reply.body)) }
}
