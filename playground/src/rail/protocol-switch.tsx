import type { ReactNode } from 'react'
import { Segments } from '../segments.tsx'

const PROTOCOLS = [
  { value: 'cap', label: 'CAP' },
  { value: 'a2a', label: 'A2A', note: 'later' },
  { value: 'arcp', label: 'ARCP', note: 'later' },
] as const

/** CAP, and what is not built yet: shown, so that nobody looks for it, and out of reach. */
export function ProtocolSwitch(): ReactNode {
  return <Segments label="Protocol" segments={PROTOCOLS} value="cap" onChoose={() => {}} />
}
