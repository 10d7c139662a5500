'use client'
import { useContext } from 'react'
import { assertSettled } from '../base/assert-settled.ts'
import type { CapClient } from '../protocols/cap/client/cap-client.ts'
import { AgentContext } from '../react/agent-context.ts'
import { missingClient } from '../react/missing-client.ts'

/** The client a hook was given, or else the provider's. @throws Error when there is none that speaks CAP */
export function useCapClient(hook: string, given: CapClient | undefined): CapClient {
  const provided = useContext(AgentContext)?.client
  const client = given ?? provided
  if (client === undefined) throw missingClient(hook)
  assertSettled('client', client)
  if (client.protocol.name !== 'CAP')
    throw new Error(`${hook} needs a CapClient, and this client speaks ${client.protocol.name}.`)
  // A client that speaks CAP is a CapClient: nothing else makes one.
  return client as CapClient
}
