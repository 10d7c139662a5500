/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** What the app runs as: `development`, `production`, `test`, or undefined where nothing says so. */
function nodeEnvironment(): string | undefined {
  try {
    return process.env.NODE_ENV
  } catch {
    // A page without a bundler.
    return 'production'
  }
}

/** Whether to check for mistakes of the app and warn its developer. */
export function isDevelopment(): boolean {
  return nodeEnvironment() !== 'production'
}

const printed = new Set<string>()

/**
 * Prints a mistake of the app for its developer: what happened, why it matters, what to do. Each sentence once per page.
 * Call it from code that production builds remove, as docs/decisions/031 describes.
 */
export function warnDeveloper(message: string): void {
  if (printed.has(message)) return
  printed.add(message)
  // oxlint-disable-next-line no-console -- development only, for the app's developer; onError would call it an error of the page
  console.warn(`capstan: ${message}`)
}
