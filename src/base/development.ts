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
