import { applyBoundedPatch, readPatchOperations } from '../../base/json-patch.ts'
import { isCount, isOptional, isRecord, isString } from '../../base/guards.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { AgentEvent } from '../../seam/agent-event.ts'
import type { Delivery } from '../../seam/protocol.ts'
import { STATE_KEPT, STATE_PART_ID, statePart } from '../../seam/state-part.ts'
import { createCapError } from './errors.ts'
import type { CapPacket } from './read/usual-packet.ts'
import type { ServiceRequestInput } from './schema/request.ts'

/** What is remembered of the shared state of a run: plain data. */
export interface StateFoldState {
  /** Absent: none has been sent. */
  readonly state?: unknown
  /** Id of the edit of the user that the run has taken along. */
  readonly edit?: string | undefined
  /** Highest number of a packet that is in it, by stream. */
  readonly seen: Readonly<Record<string, number>>
}

/** Folds the packets of a run into the state that agent and user share. */
export interface StateFold {
  readonly state: StateFoldState
  /** What the run begins with, where the user has changed it: in front of an answer that has no packets. */
  begin(streamId: string): Delivery<CapPacket>
  /** The packet with the state in place of its event, where it says something of the state. */
  take(packet: CapPacket, delivery: Delivery<CapPacket>): Delivery<CapPacket>
}

/** @param before what earlier connections of the run have given; from a disk it may be anything */
export function createStateFold(request: ServiceRequestInput, before: unknown): StateFold {
  const known = isFoldState(before) ? before : undefined
  const { state: sent, state_edit: sentEdit } = request.payload.metadata ?? {}
  // A request that is made again after a reload may have another edit.
  const edit = known === undefined ? (isString(sentEdit) ? sentEdit : undefined) : known.edit
  const seen = new Map(Object.entries(known?.seen ?? {}))
  let state = known === undefined ? sent : known.state
  let isToTell = known === undefined && edit !== undefined

  function stateEvent(streamId: string): AgentEvent {
    return { type: 'part', streamId, partId: STATE_PART_ID, part: statePart(state, edit) }
  }

  /** Undefined: it says nothing of the state that can be read. */
  function fold(packet: CapPacket, streamId: string): AgentEvent | undefined {
    if (packet.op !== 'EVENT') return undefined
    const { type, data } = packet.p
    const isRepeated = packet.seq !== undefined && packet.seq <= (seen.get(streamId) ?? -1)
    if (type === 'STATE_SNAPSHOT') {
      if (!isJsonObject(data) || data['state'] === undefined) return undefined
      if (!isRepeated) state = data['state']
    } else if (type === 'STATE_DELTA') {
      const operations = readPatchOperations(isJsonObject(data) ? data['delta'] : data)
      if (operations === undefined) return undefined
      const next = isRepeated ? { document: state } : applyBoundedPatch(state, operations)
      if (next === undefined) return { type: 'warning', streamId, error: createCapError(STATE_KEPT) }
      state = next.document
    } else return undefined
    if (packet.seq !== undefined && !isRepeated) seen.set(streamId, packet.seq)
    return stateEvent(streamId)
  }

  return {
    get state() {
      return { state, ...(edit !== undefined && { edit }), seen: Object.fromEntries(seen) }
    },
    begin: (streamId) => ({ event: stateEvent(streamId), progress: false }),
    take(packet, delivery) {
      const { cursor, event } = delivery
      if (cursor === undefined || event === undefined) return delivery
      const own = fold(packet, cursor.streamId)
      const isFirst = isToTell
      isToTell = false
      if (own !== undefined) return { ...delivery, event: own }
      // The run begins with what the user has sent.
      return isFirst ? { ...delivery, event: undefined, events: [stateEvent(cursor.streamId), event] } : delivery
    },
  }
}

const isEdit = isOptional(isString)

function isFoldState(value: unknown): value is StateFoldState {
  if (!isRecord(value)) return false
  const { edit, seen } = value
  return isEdit(edit) && isRecord(seen) && Object.values(seen).every(isCount)
}
