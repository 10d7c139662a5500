/** Why a call of a tool has no result. */
export type ToolFailure =
  | 'failed'
  | 'badInput'
  | 'badResult'
  | 'unknownTool'
  | 'notAllowed'
  | 'refused'
  | 'denied'
  | 'declined'

/**
 * The sentences that take the place of a result. Models read them, so they are the same on every wire and in storage, whatever the
 * language of the page. A page shows them in its own language, by {@link toolFailureOf}.
 */
export const TOOL_FAILURES: Readonly<Record<ToolFailure, string>> = {
  failed: 'The tool failed.',
  badInput: 'The input is not JSON.',
  badResult: 'The tool has run, but its result is not valid JSON.',
  unknownTool: 'There is no such tool.',
  notAllowed: 'It was not allowed.',
  refused: 'The user did not allow it.',
  denied: 'The call was denied.',
  declined: 'The user declined.',
}

const UNKNOWN_TOOL = 'There is no tool '

/** What the model gets for the call of a tool that does not exist. */
export function unknownTool(name: string, names: readonly string[]): string {
  return `${UNKNOWN_TOOL}${JSON.stringify(name)}. The tools are: ${names.join(', ')}.`
}

/** Which failure a text of the agent stands for. Undefined for the agent's own words. */
export function toolFailureOf(text: string): ToolFailure | undefined {
  if (text.startsWith(`${UNKNOWN_TOOL}"`)) return 'unknownTool'
  // The keys of the table are its type.
  return (Object.keys(TOOL_FAILURES) as ToolFailure[]).find((failure) => TOOL_FAILURES[failure] === text)
}
