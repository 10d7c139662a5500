import { AgentError } from '../base/agent-error.ts'
import { CliFault, type CliIo } from './cli-io.ts'
import { listen } from './listen.ts'
import { printSchema } from './print-schema.ts'
import { readArguments, USAGE } from './read-arguments.ts'
import { send } from './send.ts'
import { serve } from './serve.ts'

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
