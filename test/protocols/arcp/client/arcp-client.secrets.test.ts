import { inspect } from 'node:util'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ArcpClient, toolClient } from '../../../../src/protocols/arcp/client/arcp-client.ts'
import { createChat } from '../../../../src/state/chat.ts'
import { createDebugLog } from '../../../../src/session/debug-log.ts'
import type { SessionObserver } from '../../../../src/session/agent-client.ts'
import { createMemoryRuntime } from '../../../support/arcp-memory-runtime.ts'
import { settle } from '../../../support/manual-clock.ts'
import { createManualEnvironment } from '../../../support/manual-environment.ts'
import { loadArcpOnDemand } from '../../../support/load-arcp-on-demand.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

const TOKEN = 'token-7f3a-secret'

/** All that can be reached from a value, as text: Maps, errors and their causes too. */
const allOf = (value: unknown): string => inspect(value, { depth: 20, maxArrayLength: null, maxStringLength: null })

describe('the token of a client', () => {
  it.each([
    ['that is accepted', TOKEN],
    ['that is refused', 'another'],
  ])(
    '%s is in no state, handle, record, snapshot, log or error, only in the message that opens the session',
    async (_, right) => {
      const printed: unknown[] = []
      for (const how of ['log', 'debug', 'info', 'warn', 'error', 'groupCollapsed'] as const)
        vi.spyOn(console, how).mockImplementation((...all: unknown[]) => void printed.push(all))
      const environment = createManualEnvironment()
      const runtime = createMemoryRuntime({ token: right })
      const told: unknown[] = []
      const log = createDebugLog()
      const observer: SessionObserver = (observation) => {
        told.push(observation)
        log(observation)
      }
      const arcp = new ArcpClient({
        transport: runtime.transport,
        auth: { scheme: 'bearer', token: async () => TOKEN },
        environment,
        observer,
      })
      const heard: unknown[] = []
      arcp.onMessage((message) => heard.push(message))
      const client = toolClient(arcp, { tool: 'assistant', toArguments: ({ text }) => ({ text }) })
      const chat = createChat({ client: () => client, conversationId: 'c1' })
      void chat.sendMessage('Why?')
      for (let turn = 0; turn < 5; turn += 1) await settle()
      const [job] = runtime.jobs.values()
      job?.say('Rivers ')
      job?.emit('human.input.request', { prompt: 'Which?' })
      await settle()
      // A cut, and a page that is loaded again.
      runtime.cut()
      await environment.clock.advance(5_000)
      const stored = chat.capture()
      const everything = [
        arcp.getState(),
        arcp.connection,
        stored,
        chat.getSnapshot(),
        heard,
        told,
        printed,
        environment.reports,
        [...runtime.received].filter(({ type }) => type !== 'session.open'),
      ]
      expect(runtime.received.filter((message) => allOf(message).includes(TOKEN)).length).toBeGreaterThan(0)
      expect(told.length).toBeGreaterThan(0)
      for (const each of everything) expect(allOf(each)).not.toContain(TOKEN)
      if (right === TOKEN) expect(allOf(stored)).toContain('sess_')
      else expect(chat.getSnapshot().messages.at(-1)?.error?.code ?? arcp.connection.error?.code).toBe('unauthorized')
      await chat.dispose()
      arcp.close()
      vi.restoreAllMocks()
    },
  )
})
