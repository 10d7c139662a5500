import type { ModelHelper } from '../rows/model-row.ts'
import type { VendorAnswer } from '../vendor-server.ts'

export interface StreamEvent {
  readonly type: string
  readonly [key: string]: unknown
}

/** What an oracle reads in a whole stream. It shares no code with the helper. */
export interface WholeStream {
  /** All text of the model. */
  readonly text: string
  /** Calls of tools with valid input: name and JSON, in any order. */
  readonly calls: readonly string[]
  /** The model expects another request. */
  readonly continues: boolean
  /** `failed`: something is left open that only the next response could settle, and "Done." does not. */
  readonly ends: 'complete' | 'failed'
}

/** Generated streams of one vendor. */
export interface StreamSuite {
  readonly helper: ModelHelper
  /** The events of a whole answer, or of one with something in it that the helper cannot carry out. */
  generate(random: Random): readonly StreamEvent[]
  /** Something that no version of the API sends, for a place in the stream. */
  unknown(random: Random): readonly StreamEvent[]
  /** Reads a stream to its end. Undefined: it is not whole. */
  judge(events: readonly StreamEvent[]): WholeStream | undefined
  /** A whole answer of the text "Done.", for the next request. */
  readonly done: VendorAnswer
}

/** Numbers that follow from a seed. */
export interface Random {
  /** From 0 to `below`, which is left out. */
  below(below: number): number
  chance(share: number): boolean
  pick<Value>(values: readonly [Value, ...Value[]]): Value
  /** A few words. */
  words(): string
}

const WORDS = ['rivers', 'meander', 'in', 'bends,', 'slowly;', '"banks"', 'ärmel', '🌊', '{', '\\n'] as const

export function createDice(next: () => number): Random {
  const below = (limit: number): number => Math.floor(next() * limit)
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value => values[below(values.length)] ?? values[0]
  return {
    below,
    pick,
    chance: (share) => next() < share,
    words: () => Array.from({ length: 1 + below(6) }, () => `${pick(WORDS)} `).join(''),
  }
}

/** Cuts a stream, or drops, doubles or moves events of it, or puts something unknown into it. */
export function damage(events: readonly StreamEvent[], suite: StreamSuite, random: Random): readonly StreamEvent[] {
  const kind = random.below(8)
  const at = random.below(events.length)
  const times = 1 + random.below(3)
  switch (kind) {
    case 0:
      return events
    case 1:
      return events.slice(0, at)
    case 2:
      return repeat(times, events, (list) => list.toSpliced(random.below(list.length), 1))
    case 3:
      return repeat(times, events, (list) => {
        const place = random.below(list.length)
        return list.toSpliced(place, 0, ...list.slice(place, place + 1))
      })
    case 4: {
      const [moved] = events.slice(at, at + 1)
      return moved === undefined ? events : events.toSpliced(at, 1).toSpliced(random.below(events.length), 0, moved)
    }
    case 5:
      // Neighbours trade places.
      return [...events.slice(0, at), ...events.slice(at, at + 2).toReversed(), ...events.slice(at + 2)]
    case 6: {
      // A run of events is lost, as when a connection is resumed too late.
      return events.toSpliced(at, times)
    }
    default:
      return events.toSpliced(at, 0, ...suite.unknown(random))
  }
}

function repeat(
  times: number,
  events: readonly StreamEvent[],
  change: (list: readonly StreamEvent[]) => readonly StreamEvent[],
): readonly StreamEvent[] {
  return times === 0 || events.length === 0 ? events : repeat(times - 1, change(events), change)
}
