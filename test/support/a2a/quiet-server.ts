import { afterEach, beforeEach, vi } from 'vitest'

/** The official server prints every error that it answers with: those a test provokes on purpose are not to be read. */
export function keepServerQuiet(): void {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
}
