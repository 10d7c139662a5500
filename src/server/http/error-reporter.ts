/** Reports errors to the app. */
export type ErrorReporter = (error: unknown, context: { readonly requestId?: string | undefined }) => void

/** Calls `onError`; if it throws, the error goes to `fallback` and neither ends the run nor changes the answer. */
export function errorReporter(onError: ErrorReporter, fallback: ErrorReporter): ErrorReporter {
  return (reported, context) => {
    const failed = (thrown: unknown): void => {
      fallback(reported, context)
      fallback(thrown, context)
    }
    try {
      const result: unknown = onError(reported, context)
      // An async function fits the type too, and its rejection would end the process.
      if (result instanceof Promise) result.catch(failed)
    } catch (thrown) {
      failed(thrown)
    }
  }
}
