import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isJsonObject } from '../../src/base/json-object.ts'
import { detectGeneration } from '../../src/protocols/cap/schema/packet.ts'
import { toPart } from '../../src/protocols/cap/presentation/presentation-part.ts'
import { PacketFault } from '../../src/protocols/cap/read/usual-packet.ts'
import { readPacket } from '../../src/protocols/cap/read/rare-packet.ts'
import { capDivergences, partsWithoutName } from './cap-divergences.ts'
import { packetSchemas, schemaFor } from './cap-schemas.ts'
import { loadConformance } from './conformance-data.ts'

interface Entry {
  readonly name: string
  readonly kind: string
  readonly model: string
  readonly gen: string
  readonly valid: boolean
  readonly value: unknown
  readonly acceptedBy?: readonly string[]
}
interface CapData {
  readonly meta: { readonly model_versions: Readonly<Record<string, readonly string[]>> }
  readonly entries: readonly Entry[]
}

const data = loadConformance<CapData>('cap.json')
const entries = data?.entries ?? []
const packets = entries.filter((entry) => entry.kind === 'packet')
const diverges = (entry: Entry): boolean => Object.hasOwn(capDivergences, entry.name)

/** The revision in `G2 AgentRequest, model of c706c8af (v0.19)`, by entry. */
const revisions = new Map(
  Object.entries(data?.meta.model_versions ?? {}).flatMap(([model, names]) =>
    names.map((name) => [name, /model of (\w+)/.exec(model)?.[1]] as const),
  ),
)

describe.skipIf(data === undefined)('the values the reference models have judged', () => {
  it('get the same verdict from our schema of that generation and version', () => {
    const judged = entries.map((entry) => ({
      entry,
      agrees: schemaFor(entry, revisions.get(entry.name)).safeParse(entry.value).success === entry.valid,
    }))
    expect(judged.filter(({ entry, agrees }) => !agrees && !diverges(entry)).map(({ entry }) => entry.name)).toEqual([])
    expect(judged.filter(({ entry, agrees }) => agrees && diverges(entry)).map(({ entry }) => entry.name)).toEqual([])
  })

  it('hold every divergence we list', () => {
    const names = new Set(entries.map((entry) => entry.name))
    expect(Object.keys(capDivergences).filter((name) => !names.has(name))).toEqual([])
  })

  it('are taken by just the generations that take them upstream', () => {
    const differing = packets
      .filter((entry) => !diverges(entry))
      .filter((entry) => {
        const ours = Object.keys(packetSchemas).filter(
          (generation) => packetSchemas[generation]?.safeParse(entry.value).success,
        )
        return ours.toSorted().join() !== (entry.acceptedBy ?? []).toSorted().join()
      })
    expect(differing.map((entry) => entry.name)).toEqual([])
  })

  it('are recognised as a generation that takes them', () => {
    const mistaken = packets.filter((entry) => {
      const families = (entry.acceptedBy ?? []).map((generation) => (generation.startsWith('G1') ? 'G1' : generation))
      return (
        families.length > 0 &&
        (!isJsonObject(entry.value) || !families.includes(detectGeneration(entry.value) ?? 'none'))
      )
    })
    expect(mistaken.map((entry) => entry.name)).toEqual([])
  })

  it('keep their verdict when a canonical reading of them is read again', () => {
    const changed = entries
      .filter((entry) => entry.valid && !diverges(entry))
      .filter((entry) => {
        const schema = schemaFor(entry, revisions.get(entry.name))
        const first: unknown = JSON.parse(JSON.stringify(schema.parse(entry.value)))
        const again = schema.safeParse(first)
        return !again.success || !isDeepStrictEqual(JSON.parse(JSON.stringify(again.data)), first)
      })
    // NaN has no JSON form.
    expect(changed.map((entry) => entry.name)).toEqual(
      ['probe-health-uptime-nan-string'].filter((name) => entries.some((entry) => entry.name === name)),
    )
  })
})

describe.skipIf(data === undefined)('the packet reader', () => {
  const read = (value: unknown, mode: 'strict' | 'tolerant'): unknown => {
    try {
      return readPacket(JSON.stringify(value), mode)
    } catch (error) {
      return error
    }
  }

  it('answers any value at all with a packet or a typed fault', () => {
    const odd = entries.flatMap((entry) =>
      (['strict', 'tolerant'] as const)
        .map((mode) => ({ entry, result: read(entry.value, mode) }))
        .filter(({ result }) => result instanceof Error && !(result instanceof PacketFault)),
    )
    expect(odd.map(({ entry }) => entry.name)).toEqual([])
  })

  it('reads every valid packet of any generation in tolerant mode', () => {
    const refused = packets
      .filter((entry) => entry.valid && !diverges(entry))
      .filter((entry) => read(entry.value, 'tolerant') instanceof Error)
    expect(refused.map((entry) => entry.name)).toEqual([])
  })

  it('reads every valid packet in strict mode, save errors that RFC 005 forbids', () => {
    const refused = packets
      .filter((entry) => entry.valid && !diverges(entry))
      .filter((entry) => read(entry.value, 'strict') instanceof Error)
    expect(
      refused.filter((entry) => entry.gen !== 'G1a' || !entry.name.includes('error')).map((entry) => entry.name),
    ).toEqual([])
    expect(refused.every((entry) => !streamErrorShaped(entry.value))).toBe(true)
  })
})

describe.skipIf(data === undefined)('presentation events', () => {
  it('become a part with a name of ours, unless their data say nothing we could show', () => {
    const events = entries.filter((entry) => entry.model === 'PresentationEvent' && entry.valid)
    const unknown = events
      .filter((entry) => isJsonObject(entry.value) && toPart(entry.value).part.type === 'unknown')
      .map((entry) => entry.name)
    expect(unknown.toSorted()).toEqual([...partsWithoutName].toSorted())
  })

  it('become some part, whatever they are', () => {
    const objects = entries.map((entry) => entry.value).filter(isJsonObject)
    expect(objects.map((value) => typeof toPart(value).part.type).filter((type) => type !== 'string')).toEqual([])
  })
})

function streamErrorShaped(value: unknown): boolean {
  const p = isJsonObject(value) ? value.p : undefined
  return (
    isJsonObject(p) && typeof p.code === 'string' && typeof p.message === 'string' && typeof p.severity === 'string'
  )
}
