import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../src/base/ports/clock.ts'
import type { EventLog } from '../../../src/server.ts'
import { writeHead } from '../node-fetch.ts'
import { framesOf } from './frames-of.ts'
import type { NetworkRecords, OpenAttempt } from './network-records.ts'
import { noFaults, type FaultScript } from './fault-scripts.ts'
import type { NetworkCommand, NetworkShape, NetworkState } from './network-state.ts'
import { createConnectionWriter, type ConnectionWriter } from './connection-writer.ts'
import { framesAfter } from './frames-after.ts'
import { inGeneration } from './in-generation.ts'

/** What is known of a request before it is answered. */
export interface NetworkCall {
  readonly requestId: string
  readonly scenario: string | undefined
  readonly script: FaultScript | undefined
  /** Frames of A2A pass as they are: what is replayed, and in which generation, is for CAP. @default 'CAP' */
  readonly protocol?: 'CAP' | 'A2A'
}

/** Owns the sockets between the agent and the page, and breaks them on demand. Development only. */
export interface NetworkControl {
  /** Takes a request over: `answer` is asked once, its response goes out over the connection. Resolves when the socket is closed. */
  carry(req: IncomingMessage, res: ServerResponse, call: NetworkCall, answer: () => Promise<Response>): Promise<void>
  command(command: NetworkCommand): Promise<NetworkState>
  state(requestId?: string): NetworkState
  /** Destroys every open connection. */
  dispose(): void
}

/** A cut that waits for a connection, and those that follow it. */
interface NextCut {
  readonly requestId: string | undefined
  readonly afterBytes: number
  readonly stepBytes: number
  readonly left: number
}

function furtherCut({ requestId, afterBytes, stepBytes, left }: NextCut): NextCut | undefined {
  return left > 1 ? { requestId, afterBytes: afterBytes + stepBytes, stepBytes, left: left - 1 } : undefined
}

interface OpenConnection {
  readonly requestId: string
  readonly res: ServerResponse
  readonly writer: ConnectionWriter
  readonly attempt: OpenAttempt
  /** `Last-Event-ID` of the request. Absent: it begins the answer. */
  readonly lastEventId: string | undefined
}

const UNSHAPED: NetworkShape = { latencyMs: 0, jitterMs: 0, chunkBytes: 0, replayFromStart: true, generation: 'G1' }

export function createNetworkControl(options: {
  readonly clock: Clock
  readonly random: () => number
  readonly log: EventLog
  readonly records: NetworkRecords
}): NetworkControl {
  const { clock, random, log, records } = options
  const open = new Set<OpenConnection>()
  let shape = UNSHAPED
  let nextCut: NextCut | undefined

  const matching = (requestId: string | undefined): OpenConnection[] =>
    [...open].filter((connection) => requestId === undefined || connection.requestId === requestId)

  const drop = (connection: OpenConnection): void => {
    connection.attempt.ended('dropped')
    connection.res.destroy()
  }

  const setSilent = (connection: OpenConnection, silent: boolean): void => {
    connection.attempt.silenced(silent)
    connection.writer.setSilent(silent)
  }

  const openConnection = (
    req: IncomingMessage,
    res: ServerResponse,
    { requestId, scenario }: NetworkCall,
  ): OpenConnection => {
    const attempt = records.start(requestId, scenario, req.headers)
    const onCut = (): void => attempt.ended('dropped')
    const onBytes = (bytes: number): void => attempt.sent(bytes)
    const writer = createConnectionWriter({ res, shape: () => shape, clock, random, onBytes, onCut })
    const lastEventId = [req.headers['last-event-id']].flat()[0]
    const connection: OpenConnection = { requestId, res, writer, attempt, lastEventId }
    open.add(connection)
    if (nextCut && (nextCut.requestId ?? requestId) === requestId) {
      writer.cutAfter(nextCut.afterBytes)
      nextCut = furtherCut(nextCut)
    }
    return connection
  }

  const send = async (connection: OpenConnection, response: Response, call: NetworkCall): Promise<void> => {
    const { script = noFaults, protocol = 'CAP' } = call
    const { writer, attempt, res } = connection
    attempt.answered(response.status)
    writer.act(() => writeHead(response, res))
    const utf8 = new TextEncoder()
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const body = response.body ? framesOf(response.body) : undefined
    const isCap = isStream && protocol === 'CAP'
    const packets = body && isCap ? inGeneration(body, shape.generation) : body
    const frames = packets && isCap && !shape.replayFromStart ? framesAfter(connection.lastEventId, packets) : packets
    if (frames) {
      for await (const step of untilClosed(script(frames, attempt.attempt), writer.closed)) {
        if (step.type === 'send') {
          await writer.write(utf8.encode(step.text))
        } else if (step.type === 'lose-log') {
          await log.expire(connection.requestId)
        } else {
          await writer.flush()
          if (step.type === 'silence') setSilent(connection, true)
          else if (step.type === 'cut') drop(connection)
          else {
            attempt.ended('ended')
            res.end()
          }
          if (step.type === 'silence') await writer.closed
          return
        }
      }
    }
    writer.act(() => res.end())
    await writer.flush()
  }

  return {
    async carry(req, res, call, answer) {
      const connection = openConnection(req, res, call)
      try {
        const response = await answer()
        await send(connection, response, call)
      } catch {
        // The body broke off, as when its log was lost: so does the connection.
        await connection.writer.flush()
        drop(connection)
      }
      await connection.writer.closed
      connection.attempt.ended(res.writableFinished ? 'finished' : 'left')
      open.delete(connection)
    },
    async command(command) {
      if (command.action === 'drop') for (const connection of matching(command.requestId)) drop(connection)
      if (command.action === 'silence')
        for (const connection of matching(command.requestId)) setSilent(connection, command.on ?? true)
      if (command.action === 'shape') {
        const { latencyMs = shape.latencyMs, jitterMs = shape.jitterMs, chunkBytes = shape.chunkBytes } = command
        const { replayFromStart = shape.replayFromStart, generation = shape.generation } = command
        shape = { latencyMs, jitterMs, chunkBytes, replayFromStart, generation }
      }
      if (command.action === 'cut') {
        const connections = matching(command.requestId)
        const first: NextCut = {
          requestId: command.requestId,
          afterBytes: command.afterBytes,
          stepBytes: command.afterBytes,
          left: command.times ?? 1,
        }
        for (const connection of connections) connection.writer.cutAfter(first.afterBytes)
        nextCut = connections.length === 0 ? first : furtherCut(first)
      }
      if (command.action === 'lose-log') {
        const ids = command.requestId === undefined ? records.list().map((run) => run.requestId) : [command.requestId]
        for (const id of ids) await log.expire(id)
        for (const connection of matching(command.requestId)) drop(connection)
      }
      if (command.action === 'clear') {
        records.clear()
        shape = UNSHAPED
        nextCut = undefined
      }
      return this.state()
    },
    state: (requestId) => ({ shape, live: open.size, runs: records.list(requestId) }),
    dispose() {
      for (const connection of open) drop(connection)
    },
  }
}

/** Stops reading as soon as nobody is there to be told, so that the server sees its reader leave. */
async function* untilClosed<Step>(steps: AsyncIterable<Step>, closed: Promise<void>): AsyncGenerator<Step> {
  const iterator = steps[Symbol.asyncIterator]()
  const gone = closed.then(() => undefined)
  try {
    for (;;) {
      const step = await Promise.race([iterator.next(), gone])
      if (!step || step.done) return
      yield step.value
    }
  } finally {
    // Not awaited: a pending read ends when the request's own signal reaches the response.
    iterator.return?.().then(undefined, () => {})
  }
}
