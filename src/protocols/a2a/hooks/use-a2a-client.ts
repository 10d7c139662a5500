'use client'
import { useContext } from 'react'
import type { A2AClient } from '../client/a2a-client.ts'
import { AgentContext, missingClient } from '../../../react/agent-provider.tsx'

/**
 * The client that is given, or the provider's.
 *
 * @param hook its name, for the error
 * @throws Error where there is none, or it speaks another protocol
 */
export function useA2AClient(given: A2AClient | undefined, hook: string): A2AClient {
  const provided = useContext(AgentContext)?.client
  // A provider's client is an A2AClient wherever hooks of A2A are used; its protocol's name is checked below.
  const client = given ?? (provided as A2AClient | undefined)
  if (client === undefined) throw missingClient(hook)
  if (client.protocol.name !== 'A2A')
    throw new Error(`${hook} needs an A2AClient, and this client speaks ${client.protocol.name}.`)
  return client
}
