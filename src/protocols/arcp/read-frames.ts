import { parseBoundedJson } from '../../base/bounded-json.ts'
import { loadRareMessages } from './load-on-demand.ts'
import type { ArcpMessage } from './read/message.ts'
import { isRare, readMessage } from './read/read-message.ts'

/**
 * Reads text frames in order: each is a message, or the reason why it is none. What reads rare types is loaded with the first of them.
 *
 * @param readOne how a dialect reads a frame. Absent: as ARCP 1.0
 * @throws ArcpError `network_error` when it could not be loaded: none of the frames was read
 */
export async function readFrames(
  frames: readonly string[],
  readOne?: (frame: string) => ArcpMessage,
): Promise<readonly (ArcpMessage | Error)[]> {
  if (readOne !== undefined) return frames.map((frame) => valueOrError(() => readOne(frame)))
  const values = frames.map((frame) => valueOrError(() => parseBoundedJson(frame)))
  const rare = values.some(isRare) ? await loadRareMessages() : undefined
  return values.map((value) => (value instanceof Error ? value : valueOrError(() => readMessage(value, rare?.readers))))
}

function valueOrError<Value>(read: () => Value): Value | Error {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}
