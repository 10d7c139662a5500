import { useCallback } from 'react'
import { useChatSelector } from 'capstan/react'
import { useBench } from '../bench.ts'
import { useStore } from '../store.ts'
import { useEmbedded } from './use-embedded.ts'

export interface Faults {
  /** An answer is on the connection, so there is something to break. */
  readonly running: boolean
  readonly silent: boolean
  readonly offline: boolean
  drop(): void
  setSilent(silent: boolean): void
  setOffline(offline: boolean): void
}

/** The three faults: on the server's sockets where the agent is the embedded one, on this side anywhere else. */
export function useFaults(): Faults {
  const { page, server, wire } = useBench()
  const embedded = useEmbedded()
  const running = useChatSelector(
    ({ connection: { phase } }) => phase === 'connecting' || phase === 'queued' || phase === 'streaming',
  )
  const offline = useStore(page.offline)
  const { silent } = useStore(wire)

  const drop = useCallback(() => {
    const { requestId } = wire.get().run
    if (!embedded) return page.drop()
    void server.command({ action: 'drop', requestId }).then((done) => done || page.drop())
  }, [embedded, page, server, wire])

  const setSilent = useCallback(
    (on: boolean) => {
      const { requestId } = wire.get().run
      wire.silence(on)
      if (!embedded) return page.setSilent(on)
      void server.command({ action: 'silence', on, requestId }).then((done) => done || page.setSilent(on))
    },
    [embedded, page, server, wire],
  )

  return { running, silent, offline, drop, setSilent, setOffline: page.setOffline }
}
