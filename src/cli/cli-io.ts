/** What the program reads and writes. */
export interface CliIo {
  /** Writes a line to the output. */
  print(line: string): void
  /** Writes a line for the person at the terminal. */
  warn(line: string): void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborts when the program has to end. */
  readonly stop: AbortSignal
}

/** The arguments are wrong. */
export class CliFault extends Error {}

/** The variable that holds the token: arguments are seen by everybody on the machine. */
export const TOKEN_VARIABLE = 'CAPSTAN_ARCP_TOKEN'
