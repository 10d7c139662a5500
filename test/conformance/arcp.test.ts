import { beforeAll, describe, expect, it } from 'vitest'
import { parseBoundedJson } from '../../src/base/bounded-json.ts'
import { createExchange } from '../../src/protocols/arcp/exchange.ts'
import { readAnyMessage } from '../../src/protocols/arcp/read/rare-payloads.ts'
import { messageSchema } from '../../src/protocols/arcp/schema/envelope.ts'
import { loadArcpOnDemand } from '../support/load-arcp-on-demand.ts'
import { loadConformance } from './conformance-data.ts'

beforeAll(loadArcpOnDemand)

interface Entry {
  readonly name: string
  readonly version: '1.0' | '1.1'
  readonly valid: boolean
  readonly value: object
}

const data = loadConformance<{ readonly entries: readonly Entry[] }>('arcp.json')
const entries = (data?.entries ?? []).filter(({ version }) => version === '1.0')

/** What a client makes of a message: `undefined` when it is one. Types that a client only sends are held to their schema. */
function faultOf(value: object, read: (value: object) => { readonly type: string }): string | undefined {
  try {
    const message = read(value)
    if (message.type !== 'echo' && message.type !== 'extension') return schemaFault(message)
  } catch (error) {
    return error instanceof Error && error.constructor.name === 'ValidationError'
      ? error.message
      : `thrown: ${String(error)}`
  }
  return schemaFault(value)
}

function schemaFault(value: object): string | undefined {
  const { error } = messageSchema.safeParse(value)
  return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join(', ')
}

/** Entries that are judged otherwise than the reference data do, with the reason. */
const DIVERGENCES: Readonly<Record<string, string>> = {}

describe.skipIf(data === undefined)('the messages of ARCP 1.0 in the reference data', () => {
  it('are there as a whole', () => {
    expect(entries).toHaveLength(75)
    expect(entries.filter(({ valid }) => !valid)).toHaveLength(12)
  })

  it('are read, and what is read is what the schemas of record say; what is invalid is a fault with a sentence', () => {
    const judged = (read: (value: object) => { readonly type: string }) =>
      entries.filter(({ value, valid }) => (faultOf(value, read) === undefined) !== valid).map(({ name }) => name)
    expect(judged(readAnyMessage)).toEqual(Object.keys(DIVERGENCES))
    expect(judged((value) => readAnyMessage(parseBoundedJson(JSON.stringify(value))))).toEqual(Object.keys(DIVERGENCES))
  })

  it('are never thrown over by anything but a fault', () => {
    for (const { name, value } of entries) expect(faultOf(value, readAnyMessage) ?? '', name).not.toContain('thrown')
  })

  it('change nothing when they come twice in a row', () => {
    const play = (copies: number) => {
      const heard: string[] = []
      const exchange = createExchange({ date: () => 0, onChange() {}, onMessage: ({ id }) => heard.push(id) })
      for (const { value, valid } of entries) {
        if (!valid) continue
        const frame = JSON.stringify(value)
        for (let copy = 0; copy < copies; copy += 1) exchange.take(readAnyMessage(parseBoundedJson(frame)))
      }
      return { heard, state: exchange.state }
    }
    const once = play(1)
    const twice = play(2)
    expect(once.heard.length).toBeGreaterThan(50)
    expect(twice).toEqual(once)
  })

  it('change nothing when one comes twice, whichever it is', () => {
    for (const { name, value, valid } of entries) {
      if (!valid) continue
      const heard: string[] = []
      const exchange = createExchange({ date: () => 0, onChange() {}, onMessage: ({ id }) => heard.push(id) })
      exchange.take(readAnyMessage(value))
      const { state } = exchange
      expect(exchange.take(readAnyMessage(value)), name).toEqual([])
      expect(exchange.state, name).toEqual(state)
      expect(heard, name).toHaveLength(1)
    }
  })

  it('of the dialect 1.1 are messages or faults for a reader of 1.0, and nothing else is thrown', () => {
    const others = (data?.entries ?? []).filter(({ version }) => version === '1.1')
    expect(others).toHaveLength(49)
    for (const { name, value } of others) expect(faultOf(value, readAnyMessage) ?? '', name).not.toContain('thrown')
  })
})
