import { describe, expect, it } from 'vitest'
import { messageSchema } from '../../src/protocols/arcp/schema/envelope.ts'
import type { Wire } from '../runtime/served-runtime.ts'
import { serve } from '../runtime/served-runtime.ts'
import { loadConformance } from './conformance-data.ts'

interface Entry {
  readonly name: string
  readonly version: '1.0' | '1.1'
  readonly valid: boolean
  readonly value: { readonly id?: string; readonly type?: string }
}

const data = loadConformance<{ readonly entries: readonly Entry[] }>('arcp.json')
const entries = (data?.entries ?? []).filter(({ version }) => version === '1.0')

/** Entries that the runtime judges otherwise than the reference data do, with the reason. */
const DIVERGENCES: Readonly<Record<string, string>> = {
  'invalid/tool.invoke-without-session': 'A connection has one session: what names none is said in that one.',
  'dialect/fs-session.rejected':
    'No runtime is sent a refusal. What a client reads of the one in F# is tested with the client.',
}

const TOOLS = { 'filesystem.search': async () => 'found', 'fs.read': async () => 'read' }

/** Sends a message to a runtime, twice: what came back, and whether the session continues. */
async function say({ value }: Entry) {
  const { raw, settle, runtime, environment } = serve({ tools: TOOLS })
  const client = await raw()
  const before = client.got.length
  for (let round = 0; round < 2; round++) client.raw(JSON.stringify(value))
  await settle()
  const said = client.got.slice(before)
  const ping = client.isClosed ? undefined : client.send('ping')
  await settle()
  const isAlive = ping !== undefined && client.of('pong').at(-1)?.correlation_id === ping
  await runtime.close()
  return { said, isAlive, reports: environment.reports }
}

const isInvalid = ({ type, payload }: Wire): boolean => type === 'nack' && payload.code === 'INVALID_ARGUMENT'
/** The note of that entry asks for this code. */
const isUnknown = ({ type, payload }: Wire): boolean => type === 'nack' && payload.code === 'UNIMPLEMENTED'

describe.skipIf(data === undefined)('the messages of ARCP 1.0 in the reference data, said to the runtime', () => {
  it('are answered with messages that are valid by the schemas of record, and never end the session', async () => {
    for (const entry of entries) {
      const { said, isAlive, reports } = await say(entry)
      for (const message of said)
        expect(messageSchema.safeParse(message).error, `${entry.name}: ${message.type}`).toBeUndefined()
      expect(reports, entry.name).toEqual([])
      expect(isAlive, entry.name).toBe(entry.value.type !== 'session.close')
    }
  })

  it('are each carried out once, also where they come twice', async () => {
    const invoked = entries.filter(({ value: { type }, valid }) => type === 'tool.invoke' && valid)
    expect(invoked.length).toBeGreaterThan(0)
    for (const entry of invoked) {
      const { said } = await say(entry)
      expect(new Set(said.map(({ job_id: id }) => id)).size, entry.name).toBe(1)
    }
  })

  it('are refused with what is wrong where they are invalid, and only there', async () => {
    const diverging: string[] = []
    for (const entry of entries) {
      const { said } = await say(entry)
      const isRefused = said.some(entry.name === 'invalid/unknown-core-type' ? isUnknown : isInvalid)
      if (isRefused === entry.valid) diverging.push(entry.name)
    }
    expect(diverging).toEqual(Object.keys(DIVERGENCES))
  })
})
