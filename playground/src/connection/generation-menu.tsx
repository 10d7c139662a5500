import type { ReactNode } from 'react'
import { useState } from 'react'
import type { PacketGeneration } from '../../server/network/network-state.ts'
import { packetGenerations } from '../../server/network/network-state.ts'
import { useBench } from '../bench.ts'
import { useStore } from '../store.ts'
import { useEmbedded } from './use-embedded.ts'

/** In which generation of CAP's packets the embedded agent answers from the next question on. Another agent's packets show theirs. */
export function GenerationMenu(): ReactNode {
  const { server, wire } = useBench()
  const shape = useStore(server.shape)
  const { generation } = useStore(wire)
  const [wanted, setWanted] = useState<PacketGeneration | undefined>()
  if (!useEmbedded()) return <span className="pg-endpoint-tail">CAP {generation ?? 'G1'}</span>
  return (
    <select
      className="pg-generation"
      aria-label="Generation of CAP packets"
      title="Generation of CAP packets, for the next question"
      value={wanted ?? shape?.generation ?? 'G1'}
      onChange={({ currentTarget: { value } }) => {
        const chosen = packetGenerations.find((known) => known === value)
        setWanted(chosen)
        void server.command({ action: 'shape', generation: chosen }).then(() => setWanted(undefined))
      }}
    >
      {packetGenerations.map((known) => (
        <option key={known} value={known}>
          CAP {known}
        </option>
      ))}
    </select>
  )
}
