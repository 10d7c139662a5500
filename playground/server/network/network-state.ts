// What GET /__network gives, as JSON. The page imports these types: nothing of node here.

/** Generation of CAP that the packets of an answer have. */
export type PacketGeneration = 'G1' | 'G2' | 'G2s' | 'G3' | 'G4' | 'G0'

export const packetGenerations: readonly PacketGeneration[] = ['G1', 'G2', 'G2s', 'G3', 'G4', 'G0']

/** How connections behave while they work. */
export interface NetworkShape {
  /** Every byte arrives so many milliseconds late. */
  readonly latencyMs: number
  /** Up to so many more, at random; order is kept. */
  readonly jitterMs: number
  /** Bytes per write; 0: as the server wrote them. */
  readonly chunkBytes: number
  /** A client that comes back gets the whole answer again, as CAP's servers do; else what is behind the packet that its `Last-Event-ID` names. */
  readonly replayFromStart: boolean
  /** For answers that begin from now on. */
  readonly generation: PacketGeneration
}

/**
 * State of a connection, or how it ended. `finished`: the server was done. `left`: the client closed it.
 * `dropped`: the control destroyed the socket. `ended`: it ended it cleanly before the server was done.
 */
export type Ending = 'open' | 'finished' | 'left' | 'dropped' | 'ended'

/** One connection of a run. */
export interface AttemptRecord {
  /** 1 for the first connection of the run. */
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly endedAt?: number
  readonly status?: number
  /** Request headers in lower case, `authorization` and `cookie` left out. */
  readonly headers: Readonly<Record<string, string>>
  /** The position the client said it had, when it said one. */
  readonly lastEventId?: string
  /** Bytes of the body that went out. */
  readonly bytes: number
  readonly silent: boolean
  readonly ending: Ending
}

/** Everything seen of one request id. */
export interface RunRecord {
  readonly requestId: string
  readonly scenario?: string
  /** How often an agent was really started: more than 1 only after a lost log. */
  readonly agentRuns: number
  /** Bytes of the log. */
  readonly logBytes: number
  /** The whole log as an event stream; only when one request id was asked for. */
  readonly log?: string
  readonly attempts: readonly AttemptRecord[]
}

export interface NetworkState {
  readonly shape: NetworkShape
  /** Connections open now. */
  readonly live: number
  /** Newest first, at most 50. */
  readonly runs: readonly RunRecord[]
}

/** Body of POST /__network. Without `requestId` a command is for all runs. The answer is the state after it. */
export type NetworkCommand =
  /** Destroys the sockets that are open. */
  | { readonly action: 'drop'; readonly requestId?: string | undefined }
  /** Open connections say nothing more, sockets stay open; `on: false` lets what was held back continue. */
  | { readonly action: 'silence'; readonly on?: boolean | undefined; readonly requestId?: string | undefined }
  /** Changes the shape of all connections, open ones too. */
  | ({ readonly action: 'shape' } & { readonly [Part in keyof NetworkShape]?: NetworkShape[Part] | undefined })
  /**
   * Destroys the open connection after so many more bytes, or the next one when none is open. With `times`, as many connections
   * in turn, each so many bytes further on than the one before (default 1).
   */
  | {
      readonly action: 'cut'
      readonly afterBytes: number
      readonly times?: number | undefined
      readonly requestId?: string | undefined
    }
  /** The server forgets the run, as after a restart: its connection is cut and coming back gives 409. */
  | { readonly action: 'lose-log'; readonly requestId?: string | undefined }
  /** Forgets what was recorded and all shapes and cuts. Open connections stay. */
  | { readonly action: 'clear' }
