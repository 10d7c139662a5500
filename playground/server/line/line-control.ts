import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../src/base/clock.ts'
import type { EventLog } from '../../../src/server.ts'
import { writeHead } from '../node-fetch.ts'
import { framesOf } from './frames-of.ts'
import type { LineRecords, OpenAttempt } from './line-records.ts'
import { cleanLine, type LineScript } from './line-scripts.ts'
import type { LineCommand, LineShape, LineState } from './line-state.ts'
import { createLineWriter, type LineWriter } from './line-writer.ts'
import { createSentFrames, type SentFrames } from './sent-frames.ts'
import { inGeneration } from './in-generation.ts'

/** What is known of a request before it is answered. */
export interface LineCall {
  readonly requestId: string
  readonly scenario: string | undefined
  readonly script: LineScript | undefined
}

/** Owns the sockets between the agent and the page, and breaks them on demand. Development only. */
export interface LineControl {
  /** Takes a request over: `answer` is asked once, its response goes out over the line. Resolves when the socket is closed. */
  carry(req: IncomingMessage, res: ServerResponse, call: LineCall, answer: () => Promise<Response>): Promise<void>
  command(command: LineCommand): Promise<LineState>
  state(requestId?: string): LineState
  /** Destroys every open line. */
  dispose(): void
}

/** A cut that waits for a line, and those that follow it. */
interface NextCut {
  readonly requestId: string | undefined
  readonly afterBytes: number
  readonly stepBytes: number
  readonly left: number
}

function furtherCut({ requestId, afterBytes, stepBytes, left }: NextCut): NextCut | undefined {
  return left > 1 ? { requestId, afterBytes: afterBytes + stepBytes, stepBytes, left: left - 1 } : undefined
}

interface OpenLine {
  readonly requestId: string
  readonly res: ServerResponse
  readonly writer: LineWriter
  readonly attempt: OpenAttempt
  readonly sent: SentFrames
}

const UNSHAPED: LineShape = { latencyMs: 0, jitterMs: 0, chunkBytes: 0, replayFromStart: true, generation: 'G1' }

export function createLineControl(options: {
  readonly clock: Clock
  readonly random: () => number
  readonly log: EventLog
  readonly records: LineRecords
}): LineControl {
  const { clock, random, log, records } = options
  const open = new Set<OpenLine>()
  const sentFrames = createSentFrames()
  let shape = UNSHAPED
  let nextCut: NextCut | undefined

  const matching = (requestId: string | undefined): OpenLine[] => [...open].filter((line) => requestId === undefined || line.requestId === requestId)

  const drop = (line: OpenLine): void => {
    line.attempt.ended('dropped')
    line.res.destroy()
  }

  const setSilent = (line: OpenLine, silent: boolean): void => {
    line.attempt.silenced(silent)
    line.writer.setSilent(silent)
  }

  const openLine = (req: IncomingMessage, res: ServerResponse, { requestId, scenario }: LineCall): OpenLine => {
    const attempt = records.start(requestId, scenario, req.headers)
    const onCut = (): void => attempt.ended('dropped')
    const sent = sentFrames.open(requestId)
    const onBytes = (bytes: number): void => {
      attempt.sent(bytes)
      sent.left(bytes)
    }
    const writer = createLineWriter({ res, shape: () => shape, clock, random, onBytes, onCut })
    const line: OpenLine = { requestId, res, writer, attempt, sent }
    open.add(line)
    if (nextCut && (nextCut.requestId ?? requestId) === requestId) {
      writer.cutAfter(nextCut.afterBytes)
      nextCut = furtherCut(nextCut)
    }
    return line
  }

  const send = async (line: OpenLine, response: Response, script: LineScript): Promise<void> => {
    const { writer, attempt, res } = line
    attempt.answered(response.status)
    writer.act(() => writeHead(response, res))
    const utf8 = new TextEncoder()
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const body = response.body ? framesOf(response.body) : undefined
    const frames = body && isStream ? line.sent.unsent(inGeneration(body, shape.generation), shape.replayFromStart) : body
    if (frames) {
      for await (const step of untilClosed(script(frames, attempt.attempt), writer.closed)) {
        if (step.type === 'send') {
          line.sent.queued(step.text)
          await writer.write(utf8.encode(step.text))
        } else if (step.type === 'lose-log') {
          sentFrames.forget(line.requestId)
          await log.expire(line.requestId)
        } else {
          await writer.flush()
          if (step.type === 'silence') setSilent(line, true)
          else if (step.type === 'cut') drop(line)
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
      const line = openLine(req, res, call)
      try {
        const response = await answer()
        await send(line, response, call.script ?? cleanLine)
      } catch {
        // The body broke off, as when its log was lost: so does the line.
        await line.writer.flush()
        drop(line)
      }
      await line.writer.closed
      line.attempt.ended(res.writableFinished ? 'finished' : 'left')
      open.delete(line)
    },
    async command(command) {
      if (command.action === 'drop') for (const line of matching(command.requestId)) drop(line)
      if (command.action === 'silence') for (const line of matching(command.requestId)) setSilent(line, command.on ?? true)
      if (command.action === 'shape') {
        const { latencyMs = shape.latencyMs, jitterMs = shape.jitterMs, chunkBytes = shape.chunkBytes } = command
        const { replayFromStart = shape.replayFromStart, generation = shape.generation } = command
        shape = { latencyMs, jitterMs, chunkBytes, replayFromStart, generation }
      }
      if (command.action === 'cut') {
        const lines = matching(command.requestId)
        const first: NextCut = { requestId: command.requestId, afterBytes: command.afterBytes, stepBytes: command.afterBytes, left: command.times ?? 1 }
        for (const line of lines) line.writer.cutAfter(first.afterBytes)
        nextCut = lines.length === 0 ? first : furtherCut(first)
      }
      if (command.action === 'lose-log') {
        const ids = command.requestId === undefined ? records.list().map((run) => run.requestId) : [command.requestId]
        sentFrames.forget(command.requestId)
        for (const id of ids) await log.expire(id)
        for (const line of matching(command.requestId)) drop(line)
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
      for (const line of open) drop(line)
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
