import type { ScenarioId } from '../scenarios/scenario-list.ts'

/** What a connection does next. `lose-log`: the server forgets the run, as after a crash. */
export type FaultStep =
  | { readonly type: 'send'; readonly text: string }
  | { readonly type: 'cut' | 'end' | 'silence' | 'lose-log' }

/** Faults of one scenario: takes the frames of the server, gives what goes over the connection. `attempt` is 1 for the first connection. */
export type FaultScript = (frames: AsyncIterable<string>, attempt: number) => AsyncIterable<FaultStep>

/** Packets that arrive before the fault: enough to see text, little enough that much is left. */
const BEFORE_FAULT = 14
const GAP_PACKETS = 3

/** A connection without faults. */
export const noFaults: FaultScript = async function* (frames) {
  for await (const frame of frames) yield { type: 'send', text: frame }
}

export const faultScripts: Partial<Readonly<Record<ScenarioId, FaultScript>>> = {
  'cut-mid-packet': faultOnce(async function* (frame) {
    yield { type: 'send', text: frame.slice(0, Math.floor(frame.length / 2)) }
    yield { type: 'cut' }
  }),
  'end-without-close': faultOnce(async function* () {
    yield { type: 'end' }
  }),
  'half-open': faultOnce(async function* () {
    yield { type: 'silence' }
  }),
  'new-stream-id': faultOnce(async function* () {
    yield { type: 'lose-log' }
    yield { type: 'cut' }
  }),
  'log-lost': faultOnce(async function* () {
    yield { type: 'lose-log' }
    yield { type: 'cut' }
  }),
  async *'everything-twice'(frames) {
    for await (const frame of frames) {
      yield { type: 'send', text: frame }
      if (isPacket(frame)) yield { type: 'send', text: frame }
    }
  },
  async *'gap-in-seq'(frames) {
    let packets = 0
    for await (const frame of frames) {
      if (isPacket(frame)) packets += 1
      if (packets <= BEFORE_FAULT || packets > BEFORE_FAULT + GAP_PACKETS) yield { type: 'send', text: frame }
    }
  },
}

/** On the first connection the fault takes the place of one packet; later ones are clean. */
function faultOnce(fault: (frame: string) => AsyncIterable<FaultStep>): FaultScript {
  return async function* (frames, attempt) {
    let packets = 0
    for await (const frame of frames) {
      if (isPacket(frame)) packets += 1
      if (attempt === 1 && packets > BEFORE_FAULT) {
        yield* fault(frame)
        return
      }
      yield { type: 'send', text: frame }
    }
  }
}

function isPacket(frame: string): boolean {
  return !frame.startsWith(':')
}
