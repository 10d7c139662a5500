import { connectionLost } from './duplex-errors.ts'
import type { DuplexConnection } from './duplex-transport.ts'
import { readLines } from './stdio-transport.ts'

/** What a program reads and writes: `process.stdin` and `process.stdout`. */
export interface StdioConnectionOptions {
  readonly input: AsyncIterable<Uint8Array> & {
    /** Stops the reading. Absent: closing the connection leaves the input open. */
    destroy?(): unknown
  }
  readonly output: {
    write(text: string): unknown
    /** Ends the output. Absent: closing the connection leaves the output open. */
    end?(): unknown
    on(event: 'error', listener: () => void): unknown
    /** Bytes that were written and not taken yet. Absent: streams are not slowed down by it. */
    readonly writableLength?: number
  }
  /** Longest single frame, in characters. @default 10_000_000 */
  readonly maxFrameLength?: number | undefined
}

/**
 * The connection of a program that was started by the other side: one frame for each line of its standard input and output, UTF-8,
 * blank lines are skipped. A program that serves so must write nothing else to its output.
 *
 * @example
 * ```ts
 * import { stdioConnection, createArcpRuntime } from 'capstan/arcp/runtime'
 *
 * const runtime = createArcpRuntime({ tools: { greet: async () => 'Hello' } })
 * await runtime.accept(stdioConnection({ input: process.stdin, output: process.stdout }))
 * ```
 */
export function stdioConnection({
  input,
  output,
  maxFrameLength = 10_000_000,
}: StdioConnectionOptions): DuplexConnection {
  let isClosed = false
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    input.destroy?.()
    output.end?.()
  }
  // Whoever started the program has gone: its input ends as well.
  output.on('error', close)

  async function* read(): AsyncGenerator<readonly string[], undefined> {
    try {
      yield* readLines(input, maxFrameLength)
    } catch (error) {
      // Closing tears the input down under its reader.
      if (!isClosed) throw error
    } finally {
      close()
    }
    return undefined
  }

  return {
    frames: read(),
    get buffered() {
      return output.writableLength
    },
    send(frame) {
      if (isClosed) throw connectionLost('The connection is closed.')
      output.write(`${frame}\n`)
    },
    close,
  }
}
