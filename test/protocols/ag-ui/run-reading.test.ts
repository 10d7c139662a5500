import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../src/seam/agent-event.ts'
import type { AgUiHandle } from '../../../src/protocols/ag-ui/handle.ts'
import { rareEvents } from '../../../src/protocols/ag-ui/rare-events.ts'
import { TOLERATE } from '../../../src/protocols/ag-ui/events.ts'
import type { AgUiRequest } from '../../../src/protocols/ag-ui/request.ts'
import { createRunReading, type RunReading } from '../../../src/protocols/ag-ui/run-reading.ts'

function requestWith(state: unknown, stateEdit?: string): AgUiRequest {
  const body = {
    threadId: 't',
    runId: 'r',
    protocolVersion: '1.0',
    messages: [],
    tools: [],
    context: [],
    forwardedProps: {},
  }
  return { body: { ...body, state }, answered: {}, results: 0, ...(stateEdit !== undefined && { stateEdit }) }
}

function open(request: AgUiRequest, known?: AgUiHandle): RunReading {
  return createRunReading({ requestId: 'q', request, known, deviate: TOLERATE, isStrict: false, tools: {}, custom: {} })
}

function take(reading: RunReading, event: object): readonly AgentEvent[] {
  const data = JSON.stringify(event)
  const taken = reading.take(reading.read(data), { data, id: '', bytes: data.length }, rareEvents)
  return taken.events ?? (taken.event ? [taken.event] : [])
}

const STARTED = { type: 'RUN_STARTED', threadId: 't', runId: 'r' }
const ADDED = { type: 'STATE_DELTA', delta: [{ op: 'add', path: '/list/-', value: 2 }] }

const stateEvent = (state: unknown, edit?: string): object => ({
  type: 'part',
  streamId: 'q',
  partId: 'state',
  part: { type: 'state', state, ...(edit !== undefined && { edit }) },
})

describe('the state of a run over AG-UI', () => {
  it('is a part of the answer after each event, and goes back with the next run', () => {
    const reading = open(requestWith({ list: [1] }))
    expect(take(reading, STARTED)).toEqual([{ type: 'run-started', runId: 'r' }])
    expect(take(reading, ADDED)).toEqual([stateEvent({ list: [1, 2] })])
    expect(take(reading, { type: 'STATE_SNAPSHOT', snapshot: 5 })).toEqual([stateEvent(5)])
    expect(reading.handle.state).toBe(5)
  })

  it('cuts no paragraph of the answer', () => {
    const reading = open(requestWith({ list: [] }))
    const text = (messageId: string, delta: string): object => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })
    const said = [STARTED, text('m1', 'One.'), ADDED, text('m2', 'Two.')].flatMap((event) => take(reading, event))
    expect(said.flatMap((event) => (event.type === 'text' ? event.text : []))).toEqual(['One.', '\n\nTwo.'])
  })

  it('begins with what the user has changed, and is that in the handle before anything came', () => {
    const reading = open(requestWith({ list: [1] }, 'e1'))
    expect(reading.handle).toMatchObject({ state: { list: [1] }, stateEdit: 'e1' })
    expect(take(reading, STARTED)).toContainEqual(stateEvent({ list: [1] }, 'e1'))
    expect(take(reading, ADDED)).toEqual([stateEvent({ list: [1, 2] }, 'e1')])
  })

  it('is that of the run which was begun, when a request is made again with another edit', () => {
    const { handle } = open(requestWith({ list: [1] }, 'e1'))
    const again = open(requestWith({ list: [9] }, 'e2'), JSON.parse(JSON.stringify(handle)) as AgUiHandle)
    expect(take(again, STARTED)).toContainEqual(stateEvent({ list: [1] }, 'e1'))
    const unedited = open(requestWith({ list: [1] }))
    const other = open(requestWith({ list: [9] }, 'e2'), unedited.handle)
    expect(take(other, STARTED)).toEqual([{ type: 'run-started', runId: 'r' }])
    expect(take(other, ADDED)).toEqual([stateEvent({ list: [1, 2] })])
  })

  it('stays as it is, with a warning, when a patch does not fit', () => {
    const reading = open(requestWith({}))
    const [warning, left] = [STARTED, ADDED].flatMap((event) => take(reading, event)).slice(1)
    expect(warning).toMatchObject({ type: 'warning', error: { severity: 'WARNING', code: 'invalid_packet' } })
    expect(left).toMatchObject({ type: 'diagnostic', diagnostic: { kind: 'skipped-packet' } })
    expect('state' in reading.handle).toBe(false)
  })
})
