import { type JsonObject, isJsonObject } from '../../base/json-object.ts'
import type { StreamErrorBody } from '../run/agent-output.ts'

/** Which run a request is about. */
export interface RunName {
  /** Thread or chat, where runs are found by it. */
  readonly thread: string | undefined
  /** Absent: the last one of the thread. */
  readonly run: string | undefined
}

/** What a request wants, by its method and address. */
export type WireRoute = 'run' | 'follow' | 'stop'

/** How a body has ended: in order, or broken. */
export type BodyEnd = 'eof' | 'broken'

/** What a proxy has to know of a protocol. */
export interface ProxyWire {
  /** Members of a request body that contain ids of runs: the upstream gets ids that belong to the user in their place. */
  readonly runIds: readonly string[]
  /** Headers of its event streams. */
  readonly headers: Readonly<Record<string, string>>
  /** Says by a header that its answers are event streams, whatever their content type is. */
  isStream(headers: Headers): boolean
  /** A last frame without a blank line counts, if it is whole. */
  readonly endsFrames: boolean
  /** What a path wants, by method. */
  routesOf(pathname: string): Readonly<Record<string, WireRoute>>
  /**
   * Which run a POST begins.
   *
   * @throws HttpRefusal 400
   */
  nameOfRun(body: JsonObject, header: (name: string) => string | null): RunName
  /** Which run is to be followed. */
  nameToFollow(url: URL, header: (name: string) => string | null): RunName
  /** Which run is to be stopped. */
  nameToStop(url: URL, body: JsonObject | undefined): RunName
  /** Whether a request to stop has a body. */
  readonly stopsByBody: boolean
  /** What is answered where there is nothing to follow: a status without a body. Absent: a refusal with a code. */
  readonly nothing?: number | undefined
  createEnding(body: JsonObject): StreamEnding
}

/** Follows a stream, and knows whether it has ended as its protocol says, and how to end it. */
export interface StreamEnding {
  /** `log`: a frame of the protocol; `skip`: none. */
  take(data: string): 'log' | 'skip'
  /** Whether the answer has its own end, and nothing that it owes is missing. */
  isOver(end: BodyEnd): boolean
  /** What ends an answer that was stopped or cut, as data of frames. */
  fail(error: StreamErrorBody): readonly string[]
  /** What an answer still needs at its end. */
  readonly last: readonly string[]
}

/** The data of a frame as an object; undefined for anything else. */
export function readData(data: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(data)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
