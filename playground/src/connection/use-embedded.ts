import { useBench } from '../bench.ts'
import { isEmbedded } from '../settings/settings.ts'
import { useStore } from '../store.ts'

/** Whether the connection of the agent in use is in the hands of this page's own server. */
export function useEmbedded(): boolean {
  const { server, settings } = useBench()
  const there = useStore(server.shape) !== undefined
  return isEmbedded(useStore(settings)) && there
}
