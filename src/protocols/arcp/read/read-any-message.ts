import type { ArcpMessage } from './message.ts'
import { rareReaders } from './rare-payloads.ts'
import { readMessage } from './read-message.ts'

/** A message of ARCP 1.0, with the members that the RFC names. @throws ValidationError for anything else, also for an unknown core type */
export function readAnyMessage(value: unknown): ArcpMessage {
  return readMessage(value, rareReaders)
}
