import { afterAll, afterEach, expect, vi } from 'vitest'

// The files of a worker share what Node loads, such as React, but each has its own modules from src and test: what one of them
// keeps, mocks or registers, such as an `afterEach` in a module that several tests import, belongs to one file.
vi.resetModules()

/** Takes what a test rendered from the page: Testing Library does so by itself only where each file loads it again. */
if (typeof document !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react')
  // Only a hang is a failure: how long a busy machine takes says nothing.
  configure({ asyncUtilTimeout: 20_000 })
  afterEach(cleanup)

  // The page is shared as well: what a file defines on it and leaves there, such as a clipboard, would decide how the next one fares.
  const defined = (): readonly string[] =>
    [document, navigator]
      .flatMap((object) => Object.getOwnPropertyNames(object))
      .filter((name) => !name.startsWith('_react'))
  const before = defined()
  afterAll(() => {
    expect(defined(), 'properties that this file has defined on the document or the navigator').toEqual(before)
  })
}
