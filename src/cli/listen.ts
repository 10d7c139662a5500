import { onAbort } from '../base/on-abort.ts'
import type { CliIo } from './cli-io.ts'
import { openClient } from './open-client.ts'
import type { CliArguments } from './read-arguments.ts'

/** Prints what a runtime says: `tail` from now on until it is stopped, `replay` what it has said before. */
export async function listen(given: CliArguments, io: CliIo): Promise<number> {
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
