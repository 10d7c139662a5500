import { describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import type { CommandResult } from '../../src/seam/command.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { sendCommand } from '../../src/session/send-command.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'

const COMMAND = { type: 'cancel', requestId: 'r1' } as const

/** A client whose agent answers commands as given, and the errors that were built meanwhile. */
function clientOf(onCommand: () => CommandResult | Promise<CommandResult>) {
  const { protocol } = createScriptedPeer({ canAct: true, onCommand })
  const environment = createManualEnvironment()
  const built: string[] = []
  const client: AgentClient<string> = {
    protocol: {
      ...protocol,
      createError(init) {
        built.push(init.code)
        return protocol.createError(init)
      },
    },
    retry: backoff({ maxAttempts: 0 }),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text }) => text,
  }
  // Commands say nothing of the request, so any client sends them.
  return { client: client as AgentClient, clock: environment.clock, built }
}

describe('sendCommand', () => {
  it.each<CommandResult>([
    { result: 'accepted' },
    { result: 'too-late' },
    { result: 'unsupported' },
    { result: 'invalid', errors: [] },
  ])('builds no error for a command that the agent answers with $result', async (result) => {
    const { client, clock, built } = clientOf(() => result)
    expect(await sendCommand(client, COMMAND)).toEqual(result)
    await clock.advance(60_000)
    expect(built).toEqual([])
  })

  it('builds one error for a command that is not answered in time', async () => {
    const { client, clock, built } = clientOf(() => new Promise(() => {}))
    const sent = sendCommand(client, COMMAND).catch((error: unknown) => error)
    await clock.advance(10_000)
    expect(await sent).toMatchObject({ code: 'timeout', retryable: true })
    expect(built).toEqual(['timeout'])
  })

  it('builds one error for a command that its caller gives up', async () => {
    const { client, built } = clientOf(() => new Promise(() => {}))
    const caller = new AbortController()
    const sent = sendCommand(client, COMMAND, caller.signal).catch((error: unknown) => error)
    caller.abort()
    expect(await sent).toMatchObject({ code: 'timeout', retryable: true })
    expect(built).toEqual(['timeout'])
  })
})
