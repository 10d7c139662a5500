import type { ConnectionStep } from './connection-fault.ts'

/** How an event stream is written. Every way is one that the standard allows. */
export interface StreamWriting {
  /** Bytes per write, so that every packet arrives in several pieces. Absent: each packet in one. */
  readonly pieces?: number
  /** How lines of text end. @default 'lf' */
  readonly newline?: 'lf' | 'crlf' | 'cr'
  /** Whether the stream begins with a byte order mark. @default false */
  readonly bom?: boolean
}

const LF = 10
const ENDS = { lf: [LF], crlf: [13, LF], cr: [13] }
const BOM = Uint8Array.of(0xef, 0xbb, 0xbf)

/** The same steps with their bytes written in another way. */
export async function* rewrite(
  steps: AsyncIterable<ConnectionStep>,
  { newline = 'lf', bom = false }: StreamWriting,
): AsyncGenerator<ConnectionStep, void, void> {
  if (bom) yield { type: 'send', bytes: BOM }
  const end = ENDS[newline]
  for await (const step of steps)
    yield step.type === 'send' && newline !== 'lf'
      ? { type: 'send', bytes: Uint8Array.from([...step.bytes].flatMap((byte) => (byte === LF ? end : [byte]))) }
      : step
}
