// The inspector looks under the library's own lid: it has to judge frames by the ledger the session uses, or it would
// tell another story than the chat, and by the same copy of the sources; and to count down with the chat's own ticks and figures. Nothing else of the page imports what a user of the package could not.
export { time as wholeSeconds } from '../../../src/strings/english-measures.ts'
export { useNow } from '../../../src/react/use-now.ts'
export { resolveUrls } from '../../../src/protocols/cap/endpoint.ts'
export { FIRST_SEQ, ONLY_STREAM } from '../../../src/protocols/cap/read/usual-packet.ts'
export { readPacket } from '../../../src/protocols/cap/read/rare-packet.ts'
export { toEvent } from '../../../src/protocols/cap/rare-packets.ts'
export type { LedgerVerdict as Verdict } from '../../../src/base/ledger.ts'
export type { StreamLedger } from '../../../src/session/stream-ledger.ts'
export { createStreamLedger } from '../../../src/session/stream-ledger.ts'
export { createSseDecoder } from '../../../src/wire/sse-decoder.ts'
