import type { ReactNode } from 'react'
import { useBench } from '../bench.ts'
import { useStoreSlowly } from '../store.ts'

const EVERY_MS = 200

/** Counts of received packets, as tags without zeros. */
export function Tallies(): ReactNode {
  const { packets, duplicates, gaps, drops } = useStoreSlowly(useBench().wire, EVERY_MS).counts
  return (
    <>
      <span className="pg-tag">{count(packets, 'packet')}</span>
      {gaps > 0 && (
        <span className="pg-tag" data-tone="wait">
          {count(gaps, 'gap')}
        </span>
      )}
      {drops > 0 && (
        <span className="pg-tag" data-tone="bad">
          {count(drops, 'drop')}
        </span>
      )}
      {duplicates > 0 && <span className="pg-tag">{count(duplicates, 'duplicate')}</span>}
    </>
  )
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
