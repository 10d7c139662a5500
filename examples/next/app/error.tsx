'use client'

/** The server could not make the page, for example because the agent does not answer. Why, stays on the server. */
export default function PageError({ retry }: { retry: () => void }) {
  return (
    <div className="notice" role="alert">
      <h1>The conversation could not be loaded</h1>
      <p>The agent does not answer at the moment. What was said is not lost.</p>
      <button type="button" onClick={() => retry()}>
        Try again
      </button>
    </div>
  )
}
