interface Wanted {
  readonly folder?: string
  readonly template?: string
  readonly agent?: string
  readonly capstan?: string
}

/** Asks in the terminal for what the command line left out. Rejects with a UsageError when nobody can be asked. */
export function askForMissing(
  wanted: Wanted,
  terminal: { readonly stdin: NodeJS.ReadableStream; readonly stdout: NodeJS.WritableStream },
): Promise<Required<Omit<Wanted, 'capstan'>> & Pick<Wanted, 'capstan'>>
