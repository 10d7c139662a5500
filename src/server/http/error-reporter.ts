/** Tells the app what went wrong. */
export type ErrorReporter = (error: unknown, context: { readonly requestId?: string | undefined }) => void

/** Calls `onError` so that a failure of its own ends no run and changes no answer: the `fallback` is told then. */
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
