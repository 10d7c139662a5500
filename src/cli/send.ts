import { onAbort } from '../base/on-abort.ts'
import type { CliIo } from './cli-io.ts'
import { openClient } from './open-client.ts'
import type { CliArguments } from './read-arguments.ts'

/** Invokes a tool, prints what its job says, and ends with it. */
export async function send(given: CliArguments, io: CliIo): Promise<number> {
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
