import type * as Ws from 'ws'
import { type JsonObject, isJsonObject } from '../base/json-object.ts'
import { ArcpClient } from '../protocols/arcp/client/arcp-client.ts'
import { type WebSocketConstructor, webSocketTransport } from '../wire/web-socket-transport.ts'

/** The variable that holds the token: arguments are seen by everybody on the machine. */
export const TOKEN_VARIABLE = 'CAPSTAN_ARCP_TOKEN'

export const USAGE = `capstan arcp serve (--ws PORT | --stdio) [--tools FILE] [--host HOST]
capstan arcp send --ws URL TOOL [JSON]
capstan arcp tail --ws URL [--types TYPE,TYPE]
capstan arcp replay --ws URL [--session ID] [--after MESSAGE_ID] [--types TYPE,TYPE]
capstan postgres schema

FILE is a module whose default export is an object of tools; without it there is a tool "echo".
The token is read from ${TOKEN_VARIABLE}. A runtime without one lets everybody on this machine in, and listens nowhere else.
The schema is the SQL that creates the tables of the event log and the conversation store: capstan postgres schema | psql`

/** What the program was asked to do. */
export interface CliArguments {
  readonly command: 'serve' | 'send' | 'tail' | 'replay' | 'schema'
  /** The port of a runtime that is served, or the address of one that is called. */
  readonly ws: string | undefined
  readonly stdio: boolean
  readonly tools: string | undefined
  readonly host: string
  readonly types: readonly string[] | undefined
  readonly session: string | undefined
  readonly after: string | undefined
  readonly tool: string | undefined
  readonly given: JsonObject
}

const ARCP_COMMANDS = ['serve', 'send', 'tail', 'replay'] as const

const POSTGRES_COMMANDS = ['schema'] as const

const TEXT = { type: 'string' } as const

const OPTIONS = {
  ws: TEXT,
  stdio: { type: 'boolean' },
  tools: TEXT,
  host: TEXT,
  types: TEXT,
  session: TEXT,
  after: TEXT,
  help: { type: 'boolean', short: 'h' },
} as const

/** @throws CliFault when they are wrong */
export async function readArguments(words: readonly string[]): Promise<CliArguments | 'help'> {
  const { parseArgs } = await import('node:util')
  const parsed = (() => {
    try {
      return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
    } catch (error) {
      throw new CliFault(error instanceof Error ? error.message : 'The arguments cannot be read.')
    }
  })()
  const { values, positionals } = parsed
  const [protocol, name, tool, json] = positionals
  if (values.help === true || protocol === undefined) return 'help'
  const commands = protocol === 'arcp' ? ARCP_COMMANDS : protocol === 'postgres' ? POSTGRES_COMMANDS : undefined
  if (commands === undefined) throw new CliFault(`There is no ${protocol}; there are arcp and postgres.`)
  const command = commands.find((each) => each === name)
  if (command === undefined) throw new CliFault(`There is no command ${name ?? ''}.`)
  const isArcpClient = command !== 'serve' && command !== 'schema'
  if (isArcpClient && values.ws === undefined) throw new CliFault('--ws URL is missing.')
  if (command === 'serve' && (values.ws === undefined) === (values.stdio !== true))
    throw new CliFault('Either --ws PORT or --stdio is needed.')
  if (command === 'send' && tool === undefined) throw new CliFault('The name of the tool is missing.')
  return {
    command,
    ws: values.ws,
    stdio: values.stdio === true,
    tools: values.tools,
    host: values.host ?? '127.0.0.1',
    types: values.types?.split(','),
    session: values.session,
    after: values.after,
    tool,
    given: json === undefined ? {} : readGiven(json),
  }
}

function readGiven(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json)
    if (isJsonObject(value)) return value
  } catch {
    // Reported below.
  }
  throw new CliFault('The arguments of the tool have to be a JSON object.')
}

/** What the program reads and writes. */
export interface CliIo {
  /** Writes to the output, and ends with a line break. */
  print(text: string): void
  /** Writes what is not output, for the user at the terminal. */
  warn(text: string): void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts when the program has to end. */
  readonly stop: AbortSignal
}

/** The arguments are wrong. */
export class CliFault extends Error {}

/** The token; undefined where the variable is not set. @throws CliFault when it is empty: such a token would let everybody in */
export function tokenOf({ env }: Pick<CliIo, 'env'>): string | undefined {
  const token = env[TOKEN_VARIABLE]
  if (token === '') throw new CliFault(`${TOKEN_VARIABLE} is empty. Set it to a token, or unset it.`)
  return token
}

/** A client of the runtime that the arguments name. */
export async function openClient({ ws = '' }: CliArguments, io: CliIo): Promise<ArcpClient> {
  const token = tokenOf(io)
  const { WebSocket: own }: { readonly WebSocket?: WebSocketConstructor } = globalThis
  const WebSocket = own ?? (await loadWs()).WebSocket
  return new ArcpClient({
    transport: webSocketTransport({ url: ws, WebSocket }),
    auth: token === undefined ? { scheme: 'none' } : { scheme: 'bearer', token },
    client: { kind: 'capstan-cli', version: '1' },
  })
}

/** The package `ws`, which the program needs for sockets that Node has not. @throws CliFault when it is not installed */
export async function loadWs(): Promise<typeof Ws> {
  try {
    return await import('ws')
  } catch {
    throw new CliFault('This needs the package ws: npm install ws')
  }
}
