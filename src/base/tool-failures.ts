import { isJsonObject } from './json-object.ts'

// Sentences that take the place of a tool's result. Models read them, so they are the same on every wire and in storage, whatever the
// language of the page. A page shows them in its own language, by `shownFailure`.

export const TOOL_FAILED = 'The tool failed.'
export const BAD_RESULT = 'The tool has run, but its result is not valid JSON.'
export const BAD_INPUT = 'The input is not JSON.'
export const NOT_ALLOWED = 'It was not allowed.'
export const USER_REFUSED = 'The user did not allow it.'
export const USER_DECLINED = 'The user declined.'
export const CALL_DENIED = 'The call was denied.'

const DECLINED: readonly string[] = [NOT_ALLOWED, USER_REFUSED, USER_DECLINED, CALL_DENIED]
const UNKNOWN_TOOL = 'There is no tool "'

/** What the model gets for the call of a tool that does not exist. */
export function unknownTool(name: string, names: readonly string[]): string {
  return `There is no tool ${JSON.stringify(name)}. The tools are: ${names.join(', ')}.`
}

/** Why a call has no result, as a page tells it. */
export type ToolFailure = 'failed' | 'badResult' | 'declined'

/**
 * The text in place of a result as a page shows it: one of these sentences, or AG-UI's object around one, in the words of the page, and
 * anything else unchanged.
 */
export function shownFailure<Output>(output: Output, words: Readonly<Record<ToolFailure, string>>): Output | string {
  const text: unknown = isJsonObject(output) ? output['error'] : output
  if (typeof text !== 'string') return output
  if (text === TOOL_FAILED || text === BAD_INPUT || text.startsWith(UNKNOWN_TOOL)) return words.failed
  if (text === BAD_RESULT) return words.badResult
  return DECLINED.includes(text) ? words.declined : output
}
