import { describe, expect, it } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import type { AnyServiceRequest } from '../../src/protocols/cap/any-request.ts'
import { CapProtocolError } from '../../src/protocols/cap/errors.ts'
import type { CapDialect } from '../../src/protocols/cap/endpoint.ts'
import { collect } from '../server/peer.ts'
import { loadConformance } from './conformance-data.ts'

interface Entry {
  readonly name: string
  readonly model: string
  readonly valid: boolean
  readonly value: unknown
}

const data = loadConformance<{ readonly entries: readonly Entry[] }>('cap.json')
const RELEASES: Readonly<Record<string, CapDialect>> = { v017: 'v0.17', v018: 'v0.18', v024: 'v0.24' }

/** The requests that the released models of v0.17, v0.18 and v0.24 have judged, with the dialect of each. */
const judged = (data?.entries ?? []).flatMap((entry) => {
  const dialect = RELEASES[/^probe-(v0\d\d)-req-/.exec(entry.name)?.[1] ?? '']
  return dialect === undefined || entry.model !== 'ServiceRequest' ? [] : [{ entry, dialect }]
})

/** A parent without a root: that release made it the root itself, and the client asks for it to be said in every form (section 3.4, Lineage). */
const REFUSED_HERE = 'probe-v017-req-parent-without-root-query-shape'

async function isSent(value: unknown, dialect: CapDialect): Promise<boolean> {
  const bodies: unknown[] = []
  const fetch = async (_url: string, init: RequestInit): Promise<Response> => {
    bodies.push(JSON.parse(init.body as string)) // this client writes its bodies as text
    return new Response('data: {"op":"close"}\n\n', { headers: { 'content-type': 'text/event-stream' } })
  }
  try {
    // Some are no request at all.
    await collect(
      new CapClient({ baseUrl: 'https://agent.example', fetch, dialect }).assist(value as AnyServiceRequest),
    )
    expect(bodies).toEqual([value])
    return true
  } catch (error) {
    if (!(error instanceof CapProtocolError) || error.code !== 'invalid_request') throw error
    expect(bodies).toEqual([])
    return false
  }
}

describe.skipIf(data === undefined)('assist() with a dialect', () => {
  it('sends, as they are, just the requests that the models of that release read', async () => {
    expect(judged.length).toBeGreaterThan(15)
    const differing: string[] = []
    for (const { entry, dialect } of judged)
      if ((await isSent(entry.value, dialect)) !== entry.valid) differing.push(entry.name)
    expect(differing).toEqual([REFUSED_HERE])
  })
})
