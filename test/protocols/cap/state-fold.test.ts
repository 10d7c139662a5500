import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/seam/agent-event.ts'
import type { CapPacket } from '../../../src/protocols/cap/read/usual-packet.ts'
import type { ServiceRequestInput } from '../../../src/protocols/cap/schema/request.ts'
import { createStateFold, type StateFold } from '../../../src/protocols/cap/state-fold.ts'
import { stateDiff } from '../../../src/server/run/agent-run-state.ts'
import { toEvent } from '../../../src/protocols/cap/rare-packets.ts'

const STREAM = 'a0000000-0000-4000-8000-000000000001'

function requestWith(metadata: Readonly<Record<string, unknown>> = {}): ServiceRequestInput {
  // The fold reads nothing else of it.
  return { payload: { metadata } } as unknown as ServiceRequestInput
}

function eventAt(seq: number | undefined, type: string, data: unknown): CapPacket {
  return { generation: 'G1', op: 'EVENT', stream_id: STREAM, seq, p: { id: `e-${seq}`, type, data } }
}

const snapshotAt = (seq: number, state: unknown): CapPacket => eventAt(seq, 'STATE_SNAPSHOT', { state })

function eventsOf(fold: StateFold, packet: CapPacket): readonly AgentEvent[] {
  const streamId = packet.stream_id ?? 'stream'
  const told = toEvent(packet, { streamId, ordinal: 1 })
  const { event, events } = fold.take(packet, { event: told, cursor: { streamId, seq: packet.seq }, progress: true })
  return events ?? (event ? [event] : [])
}

function stateIn(events: readonly AgentEvent[]): unknown {
  const last = events.findLast((event) => event.type === 'part' && event.part.type === 'state')
  return last?.type === 'part' && last.part.type === 'state' ? last.part.state : undefined
}

/** As it comes off a wire, where minus zero is zero. */
const json = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)))

/** Packets that tell a history, each as a whole state or as a patch. */
const history = fc.array(fc.tuple(json, fc.boolean()), { minLength: 1, maxLength: 12 }).map((steps) =>
  steps.map(([state, isWhole], index) => {
    const delta = index === 0 || isWhole ? undefined : stateDiff(steps[index - 1]?.[0], state)
    return {
      state,
      packet:
        delta === undefined
          ? snapshotAt(index + 1, state)
          : eventAt(index + 1, 'STATE_DELTA', { delta: JSON.parse(JSON.stringify(delta)) }),
    }
  }),
)

describe('the state of a run over CAP', () => {
  it('is that of the agent after every packet, however it tells it', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const fold = createStateFold(requestWith(), undefined)
        for (const { state, packet } of steps) expect(stateIn(eventsOf(fold, packet))).toEqual(state)
      }),
    )
  })

  it('is the same when the connection is cut behind any packet, whatever the next one repeats', () => {
    fc.assert(
      fc.property(history, fc.nat(), fc.nat(), (steps, cutAt, repeatedFrom) => {
        const cut = cutAt % (steps.length + 1)
        let fold = createStateFold(requestWith(), undefined)
        for (const { packet } of steps.slice(0, cut)) eventsOf(fold, packet)
        // What is remembered goes over a disk.
        fold = createStateFold(requestWith(), JSON.parse(JSON.stringify(fold.state)))
        let last: unknown
        for (const { packet } of steps.slice(repeatedFrom % (cut + 1))) last = stateIn(eventsOf(fold, packet))
        if (steps.length > repeatedFrom % (cut + 1)) expect(last).toEqual(steps.at(-1)?.state)
      }),
    )
  })

  it('counts a packet once, however often it comes', () => {
    const fold = createStateFold(requestWith(), undefined)
    const added = eventAt(2, 'STATE_DELTA', { delta: [{ op: 'add', path: '/list/-', value: 1 }] })
    for (const packet of [snapshotAt(1, { list: [] }), added, added]) eventsOf(fold, packet)
    const again = createStateFold(requestWith(), fold.state)
    for (const packet of [snapshotAt(1, { list: [] }), added]) eventsOf(again, packet)
    expect(again.state.state).toEqual({ list: [1] })
  })

  it('begins with what the user has sent, and says so in front of the first packet', () => {
    const request = requestWith({ state: { a: 1 }, state_edit: 'e1' })
    const fold = createStateFold(request, undefined)
    const text = { generation: 'G1', op: 'DELTA', stream_id: STREAM, seq: 1, p: 'So.' } as const
    expect(eventsOf(fold, text)).toEqual([
      { type: 'part', streamId: STREAM, partId: 'state', part: { type: 'state', state: { a: 1 }, edit: 'e1' } },
      { type: 'text', streamId: STREAM, text: 'So.' },
    ])
    const patched = eventsOf(fold, eventAt(2, 'STATE_DELTA', { delta: [{ op: 'add', path: '/b', value: 2 }] }))
    expect(patched).toMatchObject([{ part: { state: { a: 1, b: 2 }, edit: 'e1' } }])
  })

  it('does not say of a later edit that a run which is resumed has taken it along', () => {
    const first = createStateFold(requestWith({ state: 1, state_edit: 'e1' }), undefined)
    const again = createStateFold(requestWith({ state: 2, state_edit: 'e2' }), first.state)
    expect(again.state).toEqual({ state: 1, edit: 'e1', seen: {} })
  })

  it('stays as it is, with a warning, when a patch does not fit; the next whole state corrects it', () => {
    const fold = createStateFold(requestWith(), undefined)
    eventsOf(fold, snapshotAt(1, { list: [1] }))
    const misfit = eventsOf(fold, eventAt(2, 'STATE_DELTA', { delta: [{ op: 'remove', path: '/list/7' }] }))
    expect(misfit).toMatchObject([{ type: 'warning', error: { severity: 'WARNING', code: 'invalid_packet' } }])
    expect(fold.state.state).toEqual({ list: [1] })
    const polluting = [{ op: 'add', path: '/__proto__/polluted', value: true }]
    expect(eventsOf(fold, eventAt(3, 'STATE_DELTA', { delta: polluting }))).toMatchObject([{ type: 'warning' }])
    expect(stateIn(eventsOf(fold, snapshotAt(4, 5)))).toBe(5)
  })

  it('is read from packets of the generation that has an op for it, without numbers', () => {
    const fold = createStateFold(requestWith({ state: {} }), undefined)
    const packet: CapPacket = {
      generation: 'G4',
      op: 'EVENT',
      p: { type: 'STATE_DELTA', data: [{ op: 'add', path: '/a', value: 1 }] },
    }
    expect(stateIn(eventsOf(fold, packet))).toEqual({ a: 1 })
  })

  it.each([
    ['a snapshot without a state', 'STATE_SNAPSHOT', {}],
    ['a patch that is none', 'STATE_DELTA', { delta: 'x' }],
  ])('leaves %s as an event that is not known', (_title, type, data) => {
    const fold = createStateFold(requestWith(), undefined)
    expect(eventsOf(fold, eventAt(1, type, data))).toMatchObject([{ type: 'part', part: { type: 'unknown' } }])
  })

  it('takes nothing from a disk that it has not written', () => {
    for (const damaged of [5, {}, { seen: 1 }, { seen: { s: 'x' } }, { seen: {}, edit: 5 }])
      expect(createStateFold(requestWith({ state: 7 }), damaged).state).toEqual({ state: 7, seen: {} })
  })
})
