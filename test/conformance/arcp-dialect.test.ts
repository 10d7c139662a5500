import { beforeAll, describe, expect, it } from 'vitest'
import { ArcpClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import { readEvent, readDialectFrame } from '../../src/protocols/arcp/dialect-1-1/frame/read-frame.ts'
import { frameSchema } from '../../src/protocols/arcp/dialect-1-1/frame/frame-schemas.ts'
import { memoryTransport } from '../../src/wire/memory-transport.ts'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { loadConformance } from './conformance-data.ts'

// What is loaded on demand is there.
beforeAll(loadArcpOnDemand)

interface Entry {
  readonly name: string
  readonly version: '1.0' | '1.1'
  readonly valid: boolean
  readonly value: { readonly type?: unknown; readonly payload?: unknown }
}

const data = loadConformance<{ readonly entries: readonly Entry[] }>('arcp.json')
const entries = (data?.entries ?? []).filter(({ version }) => version === '1.1')

/** What a client makes of a message: `undefined` when it is one. */
function faultOf(value: object): string | undefined {
  try {
    const frame = readDialectFrame(JSON.stringify(value))
    if (frame.type === 'job.event') readEvent(frame.payload)
    return undefined
  } catch (error) {
    return error instanceof Error && error.constructor.name === 'ValidationError'
      ? error.message
      : `thrown: ${String(error)}`
  }
}

/** Entries that are judged otherwise than the reference data do, with the reason. */
const DIVERGENCES: Readonly<Record<string, string>> = {}

/** What a client knows after a message of a session that has just begun, and how much it heard. */
async function play(
  value: object,
  copies: number,
): Promise<{ readonly state: object; readonly heard: number; readonly phase: string }> {
  const transport = memoryTransport(async ({ frames, send }) => {
    for await (const batch of frames)
      for (const frame of batch) {
        if (!frame.includes('"session.hello"')) continue
        const payload = {
          runtime: { name: 'r', version: '1' },
          resume_token: 't',
          resume_window_sec: 60,
          capabilities: { features: [] },
        }
        send(JSON.stringify({ arcp: '1.1', id: 'w', type: 'session.welcome', session_id: 's', payload }))
        for (let copy = 0; copy < copies; copy += 1) send(JSON.stringify(value))
      }
  })
  const environment = createManualEnvironment()
  const arcp = new ArcpClient({ dialect: '1.1', transport, environment, auth: { scheme: 'bearer', token: 'x' } })
  let heard = 0
  arcp.onMessage(() => (heard += 1))
  void arcp.connect().catch(() => undefined)
  for (let turn = 0; turn < 4; turn++) await settle()
  const { state, phase } = { state: arcp.getState(), phase: arcp.connection.phase }
  arcp.close()
  return { state, heard, phase }
}

describe.skipIf(data === undefined)('the messages of ARCP 1.1 in the reference data', () => {
  it('are there as a whole', () => {
    expect(entries).toHaveLength(49)
    expect(entries.filter(({ valid }) => !valid)).toHaveLength(7)
  })

  it('are read, and judged by the schemas of record alike; what is invalid is a fault with a sentence', () => {
    const judged = (isMessage: (value: object) => boolean) =>
      entries.filter(({ value, valid }) => isMessage(value) !== valid).map(({ name }) => name)
    expect(judged((value) => faultOf(value) === undefined)).toEqual(Object.keys(DIVERGENCES))
    expect(judged((value) => frameSchema.safeParse(value).success)).toEqual(Object.keys(DIVERGENCES))
    for (const { name, value } of entries) expect(faultOf(value) ?? '', name).not.toContain('thrown')
  })

  it('are taken by a client, whichever they are, and change nothing more when they are counted events that come twice', async () => {
    for (const { name, value } of entries) {
      const isCounted = 'event_seq' in value
      const event = isCounted ? { ...value, event_seq: 1 } : value
      const once = await play(event, 1)
      const twice = await play(event, 2)
      expect(once.heard, name).toBeGreaterThan(0)
      if (isCounted) expect(twice, name).toEqual(once)
      // An error or a close of the session may end the connection; nothing else does.
      if (!/session\.(error|bye|close)/.test(String(value.type))) expect(twice.phase, name).toBe('streaming')
    }
  })

  it('tell nobody of credentials', async () => {
    const found = entries.find(({ value }) => JSON.stringify(value).includes('sk-virt'))
    const { state } = await play(found?.value ?? {}, 1)
    expect(JSON.stringify(state, (_, value: unknown) => (value instanceof Map ? [...value] : value))).not.toContain(
      'sk-virt',
    )
  })
})
