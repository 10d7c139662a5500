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

/** The variable that holds the token: arguments are seen by everybody on the machine. */
export const TOKEN_VARIABLE = 'CAPSTAN_ARCP_TOKEN'

/** The token; undefined where the variable is not set. @throws CliFault when it is empty: such a token would let everybody in */
export function tokenOf({ env }: Pick<CliIo, 'env'>): string | undefined {
  const token = env[TOKEN_VARIABLE]
  if (token === '') throw new CliFault(`${TOKEN_VARIABLE} is empty. Set it to a token, or unset it.`)
  return token
}
