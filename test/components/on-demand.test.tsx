// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import type { OnDemand } from '../../src/components/on-demand.ts'
import { onDemand, useLoadAgain, useOnDemand } from '../../src/components/on-demand.ts'

function Shown({ demand, isWanted }: { readonly demand: OnDemand<string>; readonly isWanted: boolean }): ReactNode {
  return useOnDemand(demand, isWanted) ?? 'not here'
}

it('code is fetched when it is first wanted, once for all', async () => {
  const fetchCode = vi.fn(async () => 'here')
  const demand = onDemand(fetchCode)
  const both = (isWanted: boolean): ReactNode => (
    <>
      <Shown demand={demand} isWanted={isWanted} /> <Shown demand={demand} isWanted={isWanted} />
    </>
  )
  const { container, rerender } = render(both(false))
  expect(fetchCode).not.toHaveBeenCalled()
  await act(async () => rerender(both(true)))
  expect(container.textContent).toBe('here here')
  expect(fetchCode).toHaveBeenCalledTimes(1)
  await demand.load()
  expect(fetchCode).toHaveBeenCalledTimes(1)
})

it('code that failed to load is loaded again at the next use', async () => {
  const fetchCode = vi.fn<() => Promise<string>>()
  fetchCode.mockRejectedValueOnce(new Error('offline')).mockResolvedValueOnce('here')
  const demand = onDemand(fetchCode)
  const { container, rerender } = render(<Shown demand={demand} isWanted />)
  await act(async () => {})
  expect(container.textContent).toBe('not here')
  rerender(<Shown demand={demand} isWanted={false} />)
  await act(async () => rerender(<Shown demand={demand} isWanted />))
  expect(container.textContent).toBe('here')
})

function Again({ demand, isWanted }: { readonly demand: OnDemand<string>; readonly isWanted: boolean }): ReactNode {
  const code = useOnDemand(demand, true)
  const loadAgain = useLoadAgain(demand, isWanted)
  return code ?? (loadAgain ? <button onClick={loadAgain}>Try again</button> : 'not here')
}

it('code that could not be loaded ahead is loaded when it is wanted, and offered again only after that failed too', async () => {
  const fetchCode = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('offline'))
  const demand = onDemand(fetchCode)
  const { container, rerender } = render(<Again demand={demand} isWanted={false} />)
  await act(async () => {})
  expect([fetchCode.mock.calls.length, container.textContent]).toEqual([1, 'not here'])
  rerender(<Again demand={demand} isWanted />)
  expect(container.textContent).toBe('not here')
  await act(async () => {})
  expect([fetchCode.mock.calls.length, container.textContent]).toEqual([2, 'Try again'])
  fetchCode.mockResolvedValue('here')
  await act(async () => container.querySelector('button')?.click())
  expect(container.textContent).toBe('here')
})
