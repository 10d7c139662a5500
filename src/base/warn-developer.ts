const printed = new Set<string>()

/**
 * Prints a mistake of the app for its developer: what happened, why it matters, what to do. Each sentence once per page.
 * Call it only behind a check that bundlers remove in production (see `development.ts`).
 */
export function warnDeveloper(message: string): void {
  if (printed.has(message)) return
  printed.add(message)
  // oxlint-disable-next-line no-console -- development only, for the app's developer; onError would call it an error of the page
  console.warn(`capstan: ${message}`)
}
