import { AgentError } from '../base/agent-error.ts'
import { CliFault, type CliIo, readArguments, USAGE, type CliArguments, openClient } from './read-arguments.ts'
import { serve } from './serve.ts'
import { onAbort } from '../base/on-abort.ts'
import { CONVERSATION_TABLES } from '../server/conversation/sql-conversation-store.ts'
import { EVENT_LOG_TABLE } from '../server/event-log/postgres/postgres-queries.ts'

/** What each command does. It gives the code that the program ends with. */
const COMMANDS = { serve, send, tail: listen, replay: listen, schema: printSchema } as const

/**
 * The program `capstan`: `capstan arcp serve|send|tail|replay`, whose messages go to the output, one JSON object per line, and
 * `capstan postgres schema`. Never rejects.
 *
 * @param words the arguments, without the program itself
 */
export async function runCli(words: readonly string[], io: CliIo): Promise<number> {
  try {
    const given = await readArguments(words)
    if (given === 'help') {
      io.print(USAGE)
      return 0
    }
    return await COMMANDS[given.command](given, io)
  } catch (error) {
    // An error of the protocol has a code; what else is thrown is a fault of the program, whose place matters.
    if (error instanceof CliFault) io.warn(`${error.message}\n\n${USAGE}`)
    else if (error instanceof AgentError) io.warn(`${error.agentCode ?? error.code}: ${error.message}`)
    else io.warn(error instanceof Error ? (error.stack ?? error.message) : String(error))
    return error instanceof CliFault ? 2 : 1
  }
}

/** Prints the messages of a runtime: `tail` prints new ones until it is stopped, `replay` earlier ones. */
async function listen(given: CliArguments, io: CliIo): Promise<number> {
  const { command, types, session, after } = given
  const isReplay = command === 'replay'
  const arcp = await openClient(given, io)
  const filter = {
    ...(types === undefined ? {} : { types: [...types] }),
    ...(session === undefined ? {} : { session_id: [session] }),
  }
  try {
    return await new Promise<number>((resolve) => {
      const subscription = arcp.subscribe(filter, {
        ...(isReplay ? { after: after ?? '' } : {}),
        onMessage: (message) => io.print(JSON.stringify(message)),
        onBackfilled: () => {
          if (isReplay) resolve(0)
        },
        onClosed(reason) {
          io.warn(reason)
          resolve(1)
        },
      })
      void announce(subscription.accepted, isReplay, io)
      onAbort(io.stop, () => resolve(0))
    })
  } finally {
    arcp.close()
  }
}

async function announce(accepted: Promise<string>, isReplay: boolean, io: CliIo): Promise<void> {
  try {
    await accepted
    if (!isReplay) io.warn('Listening.')
  } catch {
    // `onClosed` says why.
  }
}

/** Invokes a tool, prints what its job says, and ends with it. */
async function send(given: CliArguments, io: CliIo): Promise<number> {
  const arcp = await openClient(given, io)
  const release = onAbort(io.stop, () => arcp.close())
  try {
    const { result } = arcp.invoke(given.tool ?? '', given.given, {
      onMessage: (message) => io.print(JSON.stringify(message)),
    })
    await result
    return 0
  } finally {
    release()
    arcp.close()
  }
}

/** Prints the statements that create what `capstan/server/logs` keeps in a database. They may run more than once. */
async function printSchema(_given: CliArguments, io: CliIo): Promise<number> {
  io.print(EVENT_LOG_TABLE)
  io.print(CONVERSATION_TABLES)
  return 0
}
