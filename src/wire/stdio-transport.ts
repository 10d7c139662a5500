import type * as ChildProcesses from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { noop } from '../base/noop.ts'
import { onAbort } from '../base/on-abort.ts'
import {
  connectionLost,
  invalidTransport,
  textFrameTooLarge,
  type DuplexConnection,
  type DuplexTransport,
} from './duplex-transport.ts'

export interface StdioTransportOptions {
  /** The program to start at each connection. It is started without a shell. */
  readonly command: string
  /** Its arguments. @default [] */
  readonly args?: readonly string[] | undefined
  /** The folder it runs in. @default that of this process */
  readonly cwd?: string | undefined
  /** Its environment. @default that of this process */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Where its standard error goes. @default 'inherit' */
  readonly stderr?: 'inherit' | 'ignore' | undefined
  /** Longest single frame, in characters. @default 10_000_000 */
  readonly maxFrameLength?: number | undefined
}

/** A process of ours, whose input and output are pipes. */
interface Peer {
  readonly input: Writable
  readonly output: Readable
  readonly process: ChildProcesses.ChildProcess
}

/** Bytes on their way into the pipe that the program has not taken in; beyond it `send` fails. */
const MAX_SEND_BUFFER = 50_000_000

/**
 * One frame for each line of a program's standard input and output: UTF-8, blank lines are skipped. Each connection starts the
 * program, and closing it ends the program. For Node only. The pipe holds the program back while nothing is read.
 *
 * @example
 * ```ts
 * import { ArcpClient } from 'capstan/arcp'
 * import { stdioTransport } from 'capstan/arcp/runtime'
 *
 * const transport = stdioTransport({ command: 'my-agent', args: ['serve', '--stdio'] })
 * console.log(new ArcpClient({ transport }).getState().session.phase)
 * ```
 */
export function stdioTransport(options: StdioTransportOptions): DuplexTransport {
  const { maxFrameLength = 10_000_000 } = options
  return {
    async connect({ signal }) {
      const peer = await start(options)
      if (signal.aborted) {
        peer.process.kill()
        throw connectionLost('The connection was given up.')
      }
      return talk(peer, signal, maxFrameLength)
    },
  }
}

async function start({ command, args = [], cwd, env, stderr = 'inherit' }: StdioTransportOptions): Promise<Peer> {
  const process = nodeProcesses().spawn(command, [...args], {
    cwd,
    env: env && { ...env },
    stdio: ['pipe', 'pipe', stderr],
  })
  const { stdin: input, stdout: output } = process
  await new Promise<void>((resolve, reject) => {
    process.once('spawn', resolve)
    process.once('error', (cause) => reject(connectionLost(`${command} could not be started.`, undefined, cause)))
  })
  // A program that ends closes its pipes: that is read from its output, and is not an error of the writing.
  input.on('error', () => undefined)
  process.on('error', () => undefined)
  return { input, output, process }
}

/** Asked for at run time, so that no bundler of a page meets the name of the module. */
function nodeProcesses(): typeof ChildProcesses {
  if (typeof process === 'undefined')
    throw invalidTransport('stdioTransport starts a program, which Node, Bun and Deno can do and a page cannot.')
  return process.getBuiltinModule('node:child_process')
}

function talk({ input, output, process }: Peer, signal: AbortSignal, maxFrameLength: number): DuplexConnection {
  let isClosed = false
  let leave = noop
  const exited = new Promise<number | null>((resolve) => {
    leave = () => resolve(null)
    process.once('exit', resolve)
  })
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    release()
    leave()
    input.end()
    output.destroy()
    process.kill()
  }
  const release = onAbort(signal, close)

  async function* read(): AsyncGenerator<readonly string[], undefined> {
    try {
      yield* readLines(output, maxFrameLength)
    } catch (error) {
      // Closing tears the pipe down under its reader.
      if (!isClosed) throw error
    } finally {
      if (!isClosed) input.end()
      process.kill()
    }
    if (isClosed) return undefined
    // Its output ended first: what it ended with follows, or the signal that has just been sent to it.
    const exitCode = await exited
    close()
    if (exitCode !== null && exitCode !== 0)
      throw connectionLost(`The program ended with code ${exitCode}.`, { exitCode })
    return undefined
  }

  return {
    frames: read(),
    send(frame) {
      if (isClosed || !input.writable) throw connectionLost('The connection is closed.')
      input.write(`${frame}\n`)
      if (input.writableLength <= MAX_SEND_BUFFER) return
      close()
      throw connectionLost('The program takes nothing in any more.')
    },
    close,
  }
}

/** The lines of a stream of bytes, all that a chunk completed at once. A last line without its end is given too. */
async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  maxFrameLength: number,
): AsyncGenerator<readonly string[], undefined> {
  const decoder = new TextDecoder()
  /** The pieces of the line that has not ended. */
  let pieces: string[] = []
  let length = 0
  for await (const chunk of bytes) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n')
    const rest = lines.pop() ?? ''
    const whole: string[] = []
    for (const line of lines) {
      whole.push(pieces.length === 0 ? line : `${pieces.join('')}${line}`)
      pieces = []
      length = 0
    }
    if (rest !== '') pieces.push(rest)
    length += rest.length
    if (length > maxFrameLength || whole.some((line) => line.length > maxFrameLength))
      throw textFrameTooLarge(maxFrameLength)
    const filled = whole.filter((line) => line.trim() !== '')
    if (filled.length > 0) yield filled
  }
  const last = pieces.join('') + decoder.decode()
  if (last.trim() !== '') yield [last]
  return undefined
}

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
 * blank lines are skipped. Such a program must write nothing but frames to its output.
 *
 * @example
 * ```ts
 * import { stdioConnection } from 'capstan/arcp/runtime'
 * import { createArcpRuntime } from 'capstan/arcp/runtime'
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
  // The parent process has gone: its input ends as well.
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
