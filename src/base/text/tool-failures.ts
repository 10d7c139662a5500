// Sentences that take the place of a tool's result. Models read them, so they are the same on every wire and in storage, whatever the
// language of the page. A page shows them in its own language, by `shownFailure`.

export const TOOL_FAILED = 'The tool failed.'
export const BAD_RESULT = 'The tool has run, but its result is not valid JSON.'
export const BAD_INPUT = 'The input is not JSON.'
export const NOT_ALLOWED = 'It was not allowed.'
export const USER_REFUSED = 'The user did not allow it.'
export const USER_DECLINED = 'The user declined.'
export const CALL_DENIED = 'The call was denied.'

const UNKNOWN_TOOL = 'There is no tool "'

/** What the model gets for the call of a tool that does not exist. */
export function unknownTool(name: string, names: readonly string[]): string {
  return `There is no tool ${JSON.stringify(name)}. The tools are: ${names.join(', ')}.`
}

/** Why a call has no result, as a page tells it. */
export type ToolFailure = 'failed' | 'badResult' | 'badCall' | 'declined'

/** A text of the agent as a page shows it: one of these sentences in the words of the page, and any other text unchanged. */
export function shownFailure(text: string, words: Readonly<Record<ToolFailure, string>>): string {
  switch (text) {
    case TOOL_FAILED:
      return words.failed
    case BAD_RESULT:
      return words.badResult
    case NOT_ALLOWED:
    case USER_REFUSED:
    case USER_DECLINED:
    case CALL_DENIED:
      return words.declined
    default:
      return text === BAD_INPUT || text.startsWith(UNKNOWN_TOOL) ? words.badCall : text
  }
}
