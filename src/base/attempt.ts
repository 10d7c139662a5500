/** Calls code of the app, such as a callback: what it throws is reported and disturbs nothing. */
export function attempt(report: (cause: unknown) => void, call: () => void): void {
  try {
    call()
  } catch (cause) {
    report(cause)
  }
}
