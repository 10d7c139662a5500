import { z } from 'zod'
import { createAgentHandler, event } from '../../src/server.ts'
import { serveCut, type CuttingServer } from '../support/cutting-server.ts'
import { LONG } from './script.ts'

/** An agent of capstan over AG-UI, with the script of the server of TanStack AI. */
export interface CapstanServer extends Pick<CuttingServer, 'seen' | 'rest'> {
  readonly url: string
  /** Inputs of the tool that needs consent, as often as it has run. */
  readonly mails: readonly unknown[]
}

/** @param pause what every plain answer waits for in its middle */
export async function serveCapstan({ pause }: { readonly pause?: Promise<void> } = {}): Promise<CapstanServer> {
  const mails: unknown[] = []
  const handler = createAgentHandler({
    onError: () => {},
    async *agent(_request, run) {
      if (run.text === 'think') yield event('THOUGHT_TRACE', { thought: 'Bends wander.', status: 'COMPLETE' })
      if (run.text === 'look up') {
        const call = { name: 'search', arguments: { q: 'rivers' } }
        const id = run.uuid()
        yield event('TOOL_CALL', call, { id })
        yield event('TOOL_CALL', { ...call, result: '3 hits for rivers' }, { id })
        yield 'So: 3 hits for rivers'
        return
      }
      if (run.text === 'ask') {
        const editable = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
        const answer = await run.ask({
          kind: 'approval',
          message: 'Send it?',
          subject: { name: 'send_email', input: { to: 'ann@example.com' }, editable },
        })
        if (answer.type !== 'allowed') {
          yield 'So: not sent'
          return
        }
        mails.push(answer.input)
        yield `So: sent to ${z.object({ to: z.string() }).parse(answer.input).to}`
        return
      }
      if (run.text === 'where') {
        const answer = await run.ask({
          kind: 'form',
          message: 'Where are you?',
          schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        })
        yield `So: ${JSON.stringify(answer.type === 'value' ? answer.value : answer.type)}`
        return
      }
      if (run.text === 'long') {
        yield* LONG
        return
      }
      yield 'Rivers '
      if (run.text === 'fail') throw new Error('sk-canary: overloaded')
      await pause
      yield 'meander.'
    },
  })
  const { origin, seen, rest } = await serveCut(handler, [])
  return { url: `${origin}/ag-ui`, seen, rest, mails }
}
