import type { ArcpClientOptions } from '../../src/protocols/arcp/client/arcp-connection.ts'
import { ArcpClient } from '../../src/protocols/arcp/client/arcp-client.ts'
import type { ArcpMessage } from '../../src/protocols/arcp/read/message.ts'
import type { ArcpRuntime } from '../../src/runtime/arcp-runtime.ts'
import { createArcpRuntime } from '../../src/runtime/arcp-runtime.ts'
import type { ArcpRuntimeOptions } from '../../src/runtime/connection/runtime-core.ts'
import { faultyConnection, type FaultHook } from '../../src/testing/faulty-connection.ts'
import type { DuplexConnection } from '../../src/wire/duplex-transport.ts'
import { memoryTransport } from '../../src/wire/memory-transport.ts'
import { settle as settleOnce } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'

/** A message as it travels. */
export interface Wire {
  readonly id: string
  readonly type: string
  readonly session_id?: string
  readonly job_id?: string
  readonly stream_id?: string
  readonly correlation_id?: string
  readonly causation_id?: string
  readonly subscription_id?: string
  // Tests look into payloads of any type.
  readonly payload: Record<string, never> & Record<string, unknown>
}

/** A client that a test writes frame by frame. */
export interface RawClient {
  readonly got: readonly Wire[]
  readonly frames: readonly string[]
  readonly isClosed: boolean
  send(type: string, payload?: object, members?: object): string
  raw(frame: string): void
  of(type: string): readonly Wire[]
  last(type: string): Wire
  close(): void
  /** Reads nothing any more, and continues when the returned function is called. */
  stall(): () => void
}

export interface Served {
  readonly runtime: ArcpRuntime
  readonly environment: ManualEnvironment
  client(options?: Partial<ArcpClientOptions>): ArcpClient
  /** Connects and opens a session. */
  raw(options?: { readonly open?: object | false }): Promise<RawClient>
  settle(): Promise<void>
  pass(ms: number): Promise<void>
}

/** What a client asks for. */
export const ASKED = {
  streaming: true,
  human_input: true,
  artifacts: true,
  subscriptions: true,
  interrupt: true,
  anonymous: true,
}

export const OPEN = { auth: { scheme: 'none' }, client: { kind: 'test', version: '1' }, capabilities: ASKED }

/** A runtime on a clock of the test. @param options with `faults`: what happens to the frames of its connections */
export function serve(
  { faults, ...options }: ArcpRuntimeOptions & { readonly faults?: FaultHook },
  environment = createManualEnvironment(),
): Served {
  const runtime = createArcpRuntime({ environment, ...options })
  let connections = 0
  const transport = memoryTransport(
    faults === undefined
      ? runtime.accept
      : (connection) =>
          runtime.accept(faultyConnection(connection, faults, { clock: environment.clock, connection: connections++ })),
  )
  let ids = 0

  async function settle(): Promise<void> {
    for (let turn = 0; turn < 8; turn++) await settleOnce()
  }

  return {
    runtime,
    environment,
    settle,
    client: (more) => new ArcpClient({ transport, environment, ...more }),
    async raw({ open = OPEN } = {}) {
      const connection = await transport.connect({ signal: new AbortController().signal })
      const client = rawClient(connection, () => `m${(ids += 1)}`)
      if (open !== false) client.send('session.open', open)
      await settle()
      return client
    },
    async pass(ms) {
      await environment.clock.advance(ms)
      await settle()
    },
  }
}

function rawClient(connection: DuplexConnection, id: () => string): RawClient {
  const got: Wire[] = []
  const frames: string[] = []
  let isClosed = false
  let held: Promise<void> | undefined
  const read = async (): Promise<void> => {
    for await (const batch of connection.frames) {
      for (const frame of batch) {
        frames.push(frame)
        // The runtime writes JSON.
        got.push(JSON.parse(frame) as Wire)
      }
      await held
    }
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      isClosed = true
    })
  const of = (type: string): readonly Wire[] => got.filter((message) => message.type === type)
  return {
    got,
    frames,
    get isClosed() {
      return isClosed
    },
    send(type, payload = {}, members = {}) {
      const own = id()
      const at = '2026-03-01T08:15:00.000Z'
      const message = {
        arcp: '1.0',
        id: own,
        type,
        timestamp: at,
        payload,
        session_id: of('session.accepted')[0]?.session_id,
      }
      connection.send(JSON.stringify({ ...message, ...members }))
      return own
    },
    raw: (frame) => connection.send(frame),
    of,
    last(type) {
      const found = of(type).at(-1)
      if (found === undefined)
        throw new Error(`There is no ${type}; there are ${got.map((one) => one.type).join(', ')}.`)
      return found
    },
    close: () => connection.close(),
    stall() {
      let release = (): void => undefined
      held = new Promise((resolve) => {
        release = resolve
      })
      return () => {
        held = undefined
        release()
      }
    },
  }
}

/** Waits for work of other threads, such as cryptography, which no clock of a test moves. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; !isSo() && turn < 10_000; turn++) await settleOnce()
}

/** The types of messages, in order. */
export const typesOf = (messages: readonly (Wire | ArcpMessage)[]): string[] => messages.map(({ type }) => type)
