import { describe, expect, it } from 'vitest'
import { PacketFault } from '../../src/protocols/cap/read/usual-packet.ts'
import { readPacket } from '../../src/protocols/cap/read/rare-packet.ts'
import { loadConformance } from './conformance-data.ts'

interface Entry {
  readonly name: string
  readonly b64: string
  readonly suite: 'reject' | 'accept' | 'either'
}

const data = loadConformance<{ readonly entries: readonly Entry[] }>('json-bytes.json')
const decoder = new TextDecoder()

/** The code of the fault, or `read`; anything else that is thrown comes out as its own name. */
function outcome({ b64 }: Entry): string {
  try {
    readPacket(decoder.decode(Buffer.from(b64, 'base64')), 'tolerant')
    return 'read'
  } catch (error) {
    return error instanceof PacketFault ? error.code : String(error)
  }
}

const outcomes = (data?.entries ?? []).map((entry) => ({ ...entry, outcome: outcome(entry) }))
const except = (suite: string, codes: readonly string[]): string[] =>
  outcomes.filter((entry) => entry.suite === suite && !codes.includes(entry.outcome)).map(({ name }) => name)

describe.skipIf(data === undefined)('a packet that is odd or broken JSON', () => {
  it('is one typed fault', () => {
    expect(except('reject', ['invalid_json'])).toEqual([])
  })

  it('is a fault of the schema when it is good JSON but no packet', () => {
    expect(except('accept', ['invalid_packet'])).toEqual([])
  })

  it('is never anything but a fault or a packet', () => {
    expect(except('either', ['invalid_json', 'invalid_packet', 'read'])).toEqual([])
  })
})
