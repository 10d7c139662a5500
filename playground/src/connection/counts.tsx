import type { ReactNode } from 'react'
import { useBench } from '../bench.ts'
import { useStore } from '../store.ts'

/** Counts of what the connection received in this conversation. */
export function Counts(): ReactNode {
  const { packets, duplicates, gaps, drops } = useStore(useBench().wire).counts
  return (
    <dl className="pg-counts">
      <Count value={packets} one="packet" many="packets" />
      <Count value={duplicates} one="duplicate" many="duplicates" />
      <Count value={gaps} one="gap" many="gaps" />
      <Count value={drops} one="drop" many="drops" />
    </dl>
  )
}

function Count({
  value,
  one,
  many,
}: {
  readonly value: number
  readonly one: string
  readonly many: string
}): ReactNode {
  return (
    <div>
      <dt>{value === 1 ? one : many}</dt>
      <dd>{value.toLocaleString('en')}</dd>
    </div>
  )
}
