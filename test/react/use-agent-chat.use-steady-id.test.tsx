// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Fragment, StrictMode, useEffect, useReducer } from 'react'
import type { MockInstance } from 'vitest'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useLatest } from '../../src/react/use-latest.ts'
import { useSteadyId } from '../../src/react/use-agent-chat.ts'

let warned: MockInstance<typeof console.warn>

beforeEach(() => {
  warned = vi.spyOn(console, 'warn').mockReturnValue()
})

afterEach(() => {
  cleanup()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

/** Each sentence is printed once per page, so each test needs ids that no other test has. */
let made = 0
const newId = (): string => `id-${(made += 1)}`

/** Walks through the ids in effects: each change is in one render with whatever the hook asks for meanwhile. */
function Walk({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const [at, next] = useReducer((before: number) => Math.min(before + 1, ids.length - 1), 0)
  const walk = useLatest(next)
  useSteadyId(ids[at])
  useEffect(() => walk.current())
  return <output>{ids[at]}</output>
}

describe.each([
  ['StrictMode', StrictMode],
  ['no StrictMode', Fragment],
] as const)('useSteadyId in %s', (_, Mode) => {
  const open = (page: ReactNode): void => void render(<Mode>{page}</Mode>)

  it.each([
    ['among three conversations', 3],
    ['through sixteen that were never shown before', 16],
  ])('does not warn of a page that moves quickly %s', (_, count) => {
    const own = Array.from({ length: count }, newId)
    open(<Walk ids={[...own, ...own, ...own.toReversed()]} />)
    expect(screen.getByRole('status').textContent).toBe(own[0])
    expect(warned).not.toHaveBeenCalled()
  })

  it('warns once of an id that each render makes, and the page stays', () => {
    const page: { again?: () => void } = {}
    function Page(): ReactNode {
      const [count, again] = useReducer((before: number) => before + 1, 0)
      page.again = again
      useSteadyId(newId())
      return <output>{count}</output>
    }
    open(<Page />)
    for (let renders = 1; renders <= 30; renders += 1) act(() => page.again?.())
    expect(screen.getByRole('status').textContent).toBe('30')
    expect(warned.mock.calls.map(([message]: unknown[]) => String(message).replace(/id-\d+/, '…'))).toEqual([
      'capstan: conversationId is another one at every render (now "…"), so each render shows a new, empty conversation. Make it once: const [conversationId] = useState(() => crypto.randomUUID()), or leave it out.',
    ])
  })

  it('concludes nothing from ids that it has seen, however they change', () => {
    const known = [newId(), newId(), newId()]
    const renders: unknown[] = []
    function Page(): ReactNode {
      const [count, again] = useReducer((before: number) => before + 1, 0)
      renders.push(count)
      useSteadyId(known[count < known.length ? count : renders.length % known.length])
      return <button onClick={again}>{count}</button>
    }
    open(<Page />)
    for (let count = 1; count <= 30; count += 1) act(() => screen.getByRole('button').click())
    expect(screen.getByRole('button').textContent).toBe('30')
    expect(warned).not.toHaveBeenCalled()
  })

  it('leaves the id alone in production', () => {
    vi.stubEnv('NODE_ENV', 'production')
    const renders: unknown[] = []
    function Page(): ReactNode {
      const [count, again] = useReducer((before: number) => before + 1, 0)
      renders.push(count)
      useSteadyId(newId())
      return <button onClick={again}>{count}</button>
    }
    open(<Page />)
    const first = renders.length
    act(() => screen.getByRole('button').click())
    expect(renders).toHaveLength(2 * first)
    expect(warned).not.toHaveBeenCalled()
  })
})
