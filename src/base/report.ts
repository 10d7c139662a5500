/** Hands an error to the host as one nobody caught: to `window.onerror` and monitoring in a page, to the console elsewhere. */
export function report(error: unknown): void {
  if (typeof reportError === 'function') reportError(error)
  else console.error(error)
}
