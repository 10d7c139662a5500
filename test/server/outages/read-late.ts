import { createSseDecoder } from '../../../src/wire/sse-decoder.ts'

/** What somebody reads who asks for a run after all has ended. */
export interface LateReading {
  /** `whole`, `409`, or `FATAL` with the code that ended the answer. */
  readonly verdict: string
  readonly broken: readonly string[]
}

const MOST_TRIES = 40
const WAIT_MS = 500

interface Packet {
  readonly stream_id: string
  readonly op: string
  readonly p: unknown
}

/** Asks until there is an answer that will not change any more. */
export async function readLate(
  serve: (http: Request) => Promise<Response>,
  body: string,
  whole: string,
): Promise<LateReading> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const response = await serve(
      new Request('https://app.example/assist', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'last-event-id': 'late' },
        body,
      }),
    )
    if (response.status === 409) return { verdict: '409', broken: [] }
    if (response.status === 200) {
      const text = await response.text().catch(() => undefined)
      // A body that breaks off says that there is more to come.
      if (text !== undefined) return judge(packetsIn(text), whole)
    } else if (response.status !== 503) {
      return { verdict: String(response.status), broken: [`a late reader gets ${response.status}`] }
    }
    await new Promise((resolve) => {
      setTimeout(resolve, WAIT_MS)
    })
  }
  return { verdict: 'never', broken: ['a late reader never gets an answer that ends'] }
}

function judge(packets: readonly Packet[], whole: string): LateReading {
  const text = packets.map(({ op, p }) => (op === 'DELTA' ? String(p) : '')).join('')
  const closed = packets.at(-1)?.op === 'CLOSE'
  const error = packets.find(({ op }) => op === 'ERROR')
  if (new Set(packets.map(({ stream_id }) => stream_id)).size > 1)
    return { verdict: 'mixed', broken: ['two runs in one log'] }
  if (!whole.startsWith(text))
    return { verdict: 'wrong', broken: [`a late reader reads what was never said: ${JSON.stringify(text.slice(-40))}`] }
  // The shape of an error in CAP.
  if (error !== undefined && closed) return { verdict: `FATAL ${(error.p as { code: string }).code}`, broken: [] }
  if (text === whole && closed) return { verdict: 'whole', broken: [] }
  return {
    verdict: 'half',
    broken: [
      `a late reader gets ${text.length} of ${whole.length} characters as if they were all${closed ? '' : ', without CLOSE'}`,
    ],
  }
}

function packetsIn(text: string): Packet[] {
  const packets: Packet[] = []
  // Written by the server under test in this process.
  const decoder = createSseDecoder({
    onFrame: (frame) => packets.push(JSON.parse(frame.data) as Packet),
    maxFrameBytes: Infinity,
  })
  decoder.push(new TextEncoder().encode(text))
  return packets
}
