import { afterEach } from 'vitest'

/** Takes what a test rendered from the page: Testing Library does so by itself only where each file loads it again. */
if (typeof document !== 'undefined') {
  const { cleanup } = await import('@testing-library/react')
  afterEach(cleanup)
}
