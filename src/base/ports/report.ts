/** Reports an error as uncaught: to `window.onerror` and monitoring in a page, to the console elsewhere. */
export function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else console.error(error)
}
