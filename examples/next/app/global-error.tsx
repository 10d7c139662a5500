'use client'

/** Stands in for the whole page when even the layout failed, so it brings html and body of its own. */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <h1>This page could not be shown</h1>
        <button type="button" onClick={() => retry()}>
          Try again
        </button>
      </body>
    </html>
  )
}
