import { loadRareRequests, loadRarePackets } from '../../../src/protocols/cap/load-on-demand.ts'
import { loadCommandsModule } from '../../../src/state/chat.ts'

/** Loads what clients, chats and servers load on demand: in virtual time nothing is left to wait for but promises. */
export async function loadConsentOnDemand(): Promise<void> {
  await Promise.all([
    loadRareRequests(),
    loadCommandsModule(),
    loadRarePackets(),
    import('../../../src/server/handler/answer-foreign.ts'),
    import('../../../src/server/wires/ag-ui/wire.ts'),
    import('../../../src/protocols/ag-ui/client/answers.ts'),
    import('../../../src/protocols/ag-ui/client/foreign-messages.ts'),
    import('../../../src/protocols/ag-ui/rare-events.ts'),
    import('../../../src/protocols/ag-ui/ask-questions.ts'),
  ])
}
