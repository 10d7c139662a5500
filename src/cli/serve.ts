import { onAbort } from '../base/on-abort.ts'
import { type ArcpRuntime, createArcpRuntime } from '../runtime/arcp-runtime.ts'
import { toArcpUpgradeListener } from '../runtime/arcp-upgrade-listener.ts'
import { stdioConnection } from '../wire/stdio-transport.ts'
import { CliFault, TOKEN_VARIABLE, tokenOf, type CliIo, type CliArguments, loadWs } from './read-arguments.ts'
import { isJsonObject } from '../base/json-object.ts'
import type { ArcpTool } from '../runtime/job/tool.ts'

const ECHO = {
  async *echo(given: Readonly<Record<string, unknown>>) {
    yield JSON.stringify(given)
    return given
  },
}

/** Names and addresses that only programs of this machine reach. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i

/** Serves tools until it is stopped, or its input ends. */
export async function serve(given: CliArguments, io: CliIo): Promise<number> {
  const token = tokenOf(io)
  if (token === undefined && !given.stdio && !LOOPBACK.test(given.host))
    throw new CliFault(
      `Without a token everybody who reaches ${given.host} could run the tools. Set ${TOKEN_VARIABLE}, or leave --host out to serve this machine only.`,
    )
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
    else await serveSockets(runtime, given, io, token === undefined)
    return 0
  } finally {
    await runtime.close()
  }
}

async function serveSockets(
  runtime: ArcpRuntime,
  { ws, host }: CliArguments,
  io: CliIo,
  isOpen: boolean,
): Promise<void> {
  const port = Number(ws)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new CliFault('--ws has to be a port.')
  const { WebSocketServer } = await loadWs()
  const { createServer } = await import('node:http')
  const webSocketServer = new WebSocketServer({ noServer: true, maxPayload: 10_000_000 })
  const upgrade = toArcpUpgradeListener(runtime, { webSocketServer })
  const server = createServer((_req, res) => void res.writeHead(426).end()).on('upgrade', (req, socket, head) => {
    // A page whose name was pointed at this machine has that name as its own origin.
    if (isOpen && !LOOPBACK.test(hostnameOf(req.headers.host))) socket.destroy()
    else upgrade(req, socket, head)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  // The port that was asked for may be 0.
  const bound = typeof address === 'object' ? address?.port : port
  io.warn(`Listening on ws://${host.includes(':') ? `[${host}]` : host}:${bound}`)
  if (isOpen) io.warn(`Every program of this machine may run the tools. Set ${TOKEN_VARIABLE} to require a token.`)
  await new Promise<void>((resolve) => {
    onAbort(io.stop, () => {
      runtime.disconnect()
      server.close(() => resolve())
    })
  })
}

/** The name in a `Host` header, without its port. */
function hostnameOf(host = ''): string {
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
}

/** The tools of the module that the user names. @throws CliFault when it has none */
async function loadTools(file: string): Promise<Readonly<Record<string, ArcpTool>>> {
  const { pathToFileURL } = await import('node:url')
  const found: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href)
  const tools = isJsonObject(found) ? found.default : undefined
  const isTool = (tool: unknown): boolean =>
    typeof tool === 'function' || (isJsonObject(tool) && typeof tool.run === 'function')
  if (!isJsonObject(tools) || !Object.values(tools).every(isTool))
    throw new CliFault(`The default export of ${file} has to be an object of tools.`)
  // Each is a function, or has one.
  return tools as Readonly<Record<string, ArcpTool>>
}
