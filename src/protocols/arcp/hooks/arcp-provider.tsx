'use client'
import type { ReactNode } from 'react'
import { createContext, useContext } from 'react'
import { assertSettled } from '../../../base/assert-options.ts'
import type { ArcpClient } from '../client/arcp-client.ts'
import { useSteadyOption } from '../../../react/use-steady-option.ts'

const ArcpContext = createContext<ArcpClient | undefined>(undefined)

export interface ArcpProviderProps {
  /** The client of every hook below that is not given one. Make it once, outside of the component. */
  readonly client: ArcpClient
  /** The components that use the hooks. Absent: nothing. */
  readonly children?: ReactNode
}

/**
 * Renders its children, and gives them a client of ARCP. It opens and closes nothing: the connection opens with the first job,
 * subscription or `connect()`.
 *
 * @example
 * ```tsx
 * import { ArcpClient, webSocketTransport } from 'capstan/arcp'
 * import { ArcpProvider, useArcpSession } from 'capstan/react'
 *
 * const client = new ArcpClient({ transport: webSocketTransport({ url: 'wss://agent.example/arcp' }) })
 * const Phase = () => <p>{useArcpSession().phase}</p>
 * export const App = () => <ArcpProvider client={client}><Phase /></ArcpProvider>
 * ```
 */
export function ArcpProvider({ client, children }: ArcpProviderProps): ReactNode {
  useSteadyOption('client', client)
  return <ArcpContext.Provider value={client}>{children}</ArcpContext.Provider>
}

/** What every hook of ARCP takes. */
export interface ArcpHookOptions {
  /** Another client than the provider's. @default the provider's */
  readonly client?: ArcpClient | undefined
}

/**
 * The client that is given, or the provider's.
 *
 * @param hook its name, for the error
 * @throws Error where there is none
 */
export function useArcpClient(given: ArcpClient | undefined, hook: string): ArcpClient {
  const client = useContext(ArcpContext)
  const found = given ?? client
  if (found === undefined)
    throw new Error(
      `There is no client. Wrap the app in <ArcpProvider client={client}>, or pass \`client\` to ${hook}.`,
    )
  assertSettled('client', found)
  return found
}
