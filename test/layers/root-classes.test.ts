import { describe, expect, it } from 'vitest'
import { readTree } from './files.ts'

// A rule for the root of one component must not hit another by accident.

/** Looks that several components share on purpose: what is written for one of them holds for the other. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  // A short state on one line.
  'cs-pill': ['connection-status', 'health-badge'],
  // A message across the whole width, with actions.
  'cs-banner': ['error-banner', 'user-notice'],
  // A line beside the answer.
  'cs-note': ['thought-trace', 'warning-note'],
  // A summary that opens.
  'cs-fold': ['thought-trace', 'tool-call'],
}

/** The components, folders or files, by the class of their root, which follows `cs-part`. */
function componentsByRoot(): Map<string, Set<string>> {
  const components = new Map<string, Set<string>>()
  for (const { path, text } of readTree('src/components/'))
    for (const [, root = ''] of text.matchAll(/'cs-part (cs-[\w-]+)/g)) {
      const component = path.replace(/\/.*|\.tsx?$/, '')
      components.set(root, (components.get(root) ?? new Set()).add(component))
    }
  return components
}

describe('the class of the root of a component', () => {
  const components = componentsByRoot()

  it('is its own, where a look is not shared on purpose', () => {
    const shared = [...components].filter(([, users]) => users.size > 1)
    expect(Object.fromEntries(shared.map(([root, users]) => [root, [...users].toSorted()]))).toEqual(SHARED)
  })

  it('is found in every component that has one', () => {
    expect(components.size).toBeGreaterThan(30)
  })
})
