import type { AgentError, AgentErrorInit } from '../base/agent-error.ts'
import type { AgentEvent } from './agent-event.ts'
import type { Command, CommandResult } from './command.ts'

/**
 * How far one stream has been read. Without `seq` the protocol has no numbers and nothing is deduplicated by number; without `id`
 * its frames have no names, and nothing is deduplicated by name.
 */
export interface Cursor {
  readonly streamId: string
  readonly seq?: number | undefined
  /** Name of the frame, where frames have names instead of numbers. */
  readonly id?: string | undefined
}

/** One packet unchanged off the connection, in events. */
export type Delivery<Source = unknown> = (
  | { readonly event: AgentEvent; readonly events?: undefined }
  | {
      readonly event?: undefined
      /** All events of a packet that is not exactly one, in order: they count as one, and are passed on together or not at all. */
      readonly events: readonly AgentEvent[]
    }
) & {
  readonly cursor?: Cursor | undefined
  /** New content, not a replayed snapshot and not an error: it proves the connection works and resets the retry counter. */
  readonly progress: boolean
  /** The validated packet behind the event. A packet that gives several events rides on the first. */
  readonly source?: Source | undefined
  /** Bytes that came for it, as UTF-8: counted for the limit of an answer. Absent: none are counted. */
  readonly bytes?: number | undefined
}

/** What one connection attempt is given. */
export interface Opening<Request> {
  readonly request: Request
  /** The same on every attempt of one run. */
  readonly requestId: string
  /** 0 on the first attempt of a run, then 1, 2, … */
  readonly attempt: number
  /** The run began on another page or in another tab, which may have sent the request. @default false */
  readonly restored?: boolean | undefined
  readonly cursors: readonly Cursor[]
  /** The last `handle` of the batches before; from a disk it may be anything. Absent: there was none. */
  readonly handle?: unknown
  readonly signal: AbortSignal
  /** Waits on the clock of the session, for polls and probes. Resolves earlier when the signal aborts. */
  wait(ms: number): Promise<void>
}

/** A batch: everything one network chunk held. Empty means "alive, nothing new". */
export interface Batch<Source = unknown> {
  readonly deliveries: readonly Delivery<Source>[]
  /**
   * What the protocol wants to remember of the run after this batch: plain data, stored with the run and given back to `open` and
   * `act`. No credentials. Absent: as before.
   */
  readonly handle?: unknown
  /**
   * An empty batch for bytes that completed nothing, neither a packet nor a heartbeat. Such bytes count as a sign of life
   * for a limited time only, so that a frame which never ends does not hold a connection for ever.
   * @default false
   */
  readonly partial?: boolean | undefined
}

/**
 * Interface of a protocol. It translates one connection into neutral events. It never retries, waits, deduplicates or
 * keeps state between attempts. CAP implements it; A2A and ARCP can too.
 */
export interface AgentProtocol<Request, Source = unknown> {
  readonly name: string
  /** Origin the connections go to, for limits per server; empty for the page's own. */
  readonly server?: string | undefined
  /**
   * One connection attempt. Yields a first, empty batch when the agent has answered, then one batch
   * per network chunk. Returns when the connection has ended, whether or not the run has: the session
   * knows from the events which it was. Throws an {@link AgentError} made by `createError`.
   */
  open(opening: Opening<Request>): AsyncIterable<Batch<Source>>
  /**
   * Whether a new connection can resume exactly at these cursors. Absent: always.
   * @param handle the last one of the run
   */
  canResume?(cursors: readonly Cursor[], handle?: unknown): boolean
  /**
   * Highest number that the first packet of a stream can have. A higher first number means that packets are missing: a
   * gap.
   *
   * @default any number
   */
  readonly firstSeq?: number | undefined
  /**
   * Whether a request continues where the answer before it ended, whose handle it is given as `ChatInput.after`.
   *
   * @default false
   */
  readonly followsUp?: boolean | undefined
  /**
   * Whether requests carry what the user has made of the shared state.
   *
   * @default false
   */
  readonly sharesState?: boolean | undefined
  /**
   * Sends a command to the agent, once. Rejects with an {@link AgentError} when nobody knows whether it arrived; the session then
   * sends it again. Absent: the protocol has no commands.
   */
  act?(command: Command, options: { readonly signal: AbortSignal }): Promise<CommandResult>
  /** What is wrong with the id of a conversation, as a sentence for the developer; undefined when it is valid. Absent: any text is valid. */
  conversationIdFault?(id: string): string | undefined
  /** Creates an error of the protocol's own class, so that `instanceof` works as expected. */
  createError(init: AgentErrorInit): AgentError
}
