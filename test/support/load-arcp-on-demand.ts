import { loadRareMessages } from '../../src/protocols/arcp/load-on-demand.ts'

/** Loads what the client of ARCP loads on demand: where it is there already, a test waits for nothing but its own messages. */
export async function loadArcpOnDemand(): Promise<void> {
  await Promise.all([
    import('../../src/protocols/arcp/client/runtime-calls.ts'),
    import('../../src/protocols/arcp/client/call-runtime.ts'),
    import('../../src/protocols/arcp/client/arcp-subscription.ts'),
    import('../../src/protocols/arcp/job-commands.ts'),
    import('../../src/protocols/arcp/auth-proofs.ts'),
    loadRareMessages(),
    import('../../src/protocols/arcp/dialect-1-1/gateway.ts'),
  ])
}
