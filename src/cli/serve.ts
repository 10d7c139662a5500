import { onAbort } from '../base/on-abort.ts'
import type { ArcpRuntime } from '../runtime/arcp/arcp-runtime.ts'
import { createArcpRuntime } from '../runtime/arcp/arcp-runtime.ts'
import { toArcpUpgradeListener } from '../runtime/arcp/node/arcp-upgrade-listener.ts'
import { stdioConnection } from '../wire/stdio-connection.ts'
import { CliFault, tokenOf, type CliIo } from './cli-io.ts'
import { loadTools } from './load-tools.ts'
import { loadWs } from './load-ws.ts'
import type { CliArguments } from './read-arguments.ts'

const ECHO = {
  async *echo(given: Readonly<Record<string, unknown>>) {
    yield JSON.stringify(given)
    return given
  },
}

/** Serves tools until it is stopped, or its input ends. */
export async function serve(given: CliArguments, io: CliIo): Promise<number> {
  const token = tokenOf(io)
  const runtime = createArcpRuntime({
    tools: given.tools === undefined ? ECHO : await loadTools(given.tools),
    ...(token === undefined
      ? { auth: { none: true }, mayAccess: () => true }
      : { auth: { bearer: (tried) => (tried === token ? 'user' : undefined) } }),
    environment: {
      report: (error) => io.warn(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    },
  })
  try {
    if (given.stdio) await runtime.accept(stdioConnection({ input: process.stdin, output: process.stdout }))
    else await serveSockets(runtime, given, io)
    return 0
  } finally {
    await runtime.close()
  }
}

async function serveSockets(runtime: ArcpRuntime, { ws, host }: CliArguments, io: CliIo): Promise<void> {
  const port = Number(ws)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new CliFault('--ws has to be a port.')
  const { WebSocketServer } = await loadWs()
  const { createServer } = await import('node:http')
  const webSocketServer = new WebSocketServer({ noServer: true, maxPayload: 10_000_000 })
  const server = createServer((_req, res) => void res.writeHead(426).end()).on(
    'upgrade',
    toArcpUpgradeListener(runtime, { webSocketServer }),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  // The port that was asked for may be 0.
  const bound = typeof address === 'object' ? address?.port : port
  io.warn(`Listening on ws://${host}:${bound}`)
  await new Promise<void>((resolve) => {
    onAbort(io.stop, () => {
      runtime.disconnect()
      server.close(() => resolve())
    })
  })
}
