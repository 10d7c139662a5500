// @vitest-environment jsdom
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import type { OnDemand } from '../../../src/components/on-demand/on-demand.ts'
import { onDemand, useOnDemand } from '../../../src/components/on-demand/on-demand.ts'

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

it('code that could not be fetched is fetched again for whoever wants it next', async () => {
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
