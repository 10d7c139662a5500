'use client'
import { useMemo } from 'react'
import { noop } from '../../../base/noop.ts'
import type { ArcpSessionState } from '../fold/arcp-state.ts'
import type { Connection } from '../../../session/connection.ts'
import type { ArcpHookOptions } from './arcp-provider.tsx'
import { useArcpClient } from './arcp-provider.tsx'
import { useArcpView } from './use-arcp-view.ts'

/** What {@link useArcpSession} returns. */
export interface ArcpSessionResult extends ArcpSessionState {
  /** The connection that all jobs share: reconnecting is told here. */
  readonly connection: Connection
  /** Opens the connection and keeps it open until `close`. Resolves when the session is accepted or cannot be; never rejects. */
  connect(): Promise<void>
  /** Closes the connection. Jobs continue at the runtime. */
  close(): void
  /** Starts the next attempt now, while the connection waits for it. */
  retryNow(): void
}

/**
 * The session with the runtime, and its connection. Showing it opens nothing, and unmounting it closes nothing.
 *
 * @example
 * ```tsx
 * import { useArcpSession } from 'capstan/react'
 *
 * export function Session() {
 *   const { phase, runtime, connect } = useArcpSession()
 *   return <button onClick={() => void connect()}>{runtime?.kind ?? phase}</button>
 * }
 * ```
 */
export function useArcpSession({ client: given }: ArcpHookOptions = {}): ArcpSessionResult {
  const client = useArcpClient(given, 'useArcpSession')
  const session = useArcpView(client, ({ state }) => state.session)
  const connection = useArcpView(client, (view) => view.connection)
  const actions = useMemo(
    () => ({
      // Why it cannot be is in the session or the connection.
      connect: async (): Promise<void> => void (await client.connect().catch(noop)),
      close: (): void => client.close(),
      retryNow: (): void => client.retryNow(),
    }),
    [client],
  )
  return useMemo(() => ({ ...session, connection, ...actions }), [session, connection, actions])
}
