/**
 * What one connection does to the event stream it carries. Places are counted in packets (frames that are no
 * comment) since the answer began; `pieces` in bytes per write.
 */
export type ConnectionFault =
  /**
   * The connection breaks (`reset`, the default) or ends as if the answer were complete (`end`). `into`: so many bytes of the packet after the
   * place still come.
   */
  | {
      readonly type: 'cut'
      readonly after: number
      readonly unit?: 'packets' | 'bytes'
      readonly how?: 'reset' | 'end'
      readonly into?: number
    }
  /** The server stays silent and the connection open; with `commentsEveryMs` only comments come. */
  | { readonly type: 'silence'; readonly after: number; readonly commentsEveryMs?: number }
  /** Packets are lost on the way. */
  | { readonly type: 'gap'; readonly after: number; readonly count: number }
  /** Two packets change places. */
  | { readonly type: 'swap'; readonly after: number }
  /** Every packet comes so many times. */
  | { readonly type: 'repeat'; readonly times: number }
  /** Everything sent so far is sent again, so many times. */
  | { readonly type: 'replay'; readonly after: number; readonly times: number }
  /** The replay of a resumed connection begins late: so many packets are left out, because the client is known to have them. */
  | { readonly type: 'overlap'; readonly from: number }
  /** Raw text or bytes between two packets: garbage, a `retry:` field, comments, another stream's packet. */
  | { readonly type: 'insert'; readonly after: number; readonly data: string | Uint8Array; readonly times?: number }
  /** Raw text after the last frame of the answer. */
  | { readonly type: 'append'; readonly data: string | Uint8Array }
  /** The same raw text again and again, until so many bytes or until the client has gone; then silence. */
  | { readonly type: 'endless'; readonly after: number; readonly data: string; readonly bytes: number }

/** What a connection does next. */
export type ConnectionStep =
  | { readonly type: 'send'; readonly bytes: Uint8Array }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'reset' | 'end' | 'hang' }

type Frames = AsyncIterable<string>
type Steps = AsyncGenerator<ConnectionStep, void, void>

const utf8 = new TextEncoder()
const send = (data: string | Uint8Array): ConnectionStep => ({
  type: 'send',
  bytes: typeof data === 'string' ? utf8.encode(data) : data,
})
const isPacket = (frame: string): boolean => !frame.startsWith(':')

/** The steps of a connection that carries `frames` and has `fault`; without a fault, all frames and a clean end. */
export async function* breakConnection(frames: Frames, fault: ConnectionFault | undefined): Steps {
  if (fault?.type === 'cut' && fault.unit === 'bytes') yield* cutBytes(frames, fault.after, fault.how)
  else if (fault?.type === 'repeat') {
    for await (const frame of frames)
      for (let time = 0; time < (isPacket(frame) ? fault.times : 1); time += 1) yield send(frame)
  } else if (fault?.type === 'append') {
    for await (const frame of frames) yield send(frame)
    yield send(fault.data)
  } else if (fault === undefined) {
    for await (const frame of frames) yield send(frame)
  } else yield* breakAtPacket(frames, fault)
}

async function* cutBytes(frames: Frames, after: number, how: 'reset' | 'end' = 'reset'): Steps {
  let left = after
  if (left === 0) return yield { type: how }
  for await (const frame of frames) {
    const bytes = utf8.encode(frame)
    yield { type: 'send', bytes: bytes.subarray(0, left) }
    left -= bytes.byteLength
    if (left <= 0) return yield { type: how }
  }
}

type FaultAtPacket = Exclude<ConnectionFault, { readonly type: 'repeat' | 'append' }>

/** Comments are passed on; the fault comes where the packet after its place would be, or at the end. */
async function* breakAtPacket(frames: Frames, fault: FaultAtPacket): Steps {
  const place = fault.type === 'overlap' ? 0 : fault.after
  const said: string[] = []
  let held: string | undefined
  let packets = 0
  let done = false
  // A cut does not wait for a packet that is never sent.
  const into = fault.type === 'cut' ? (fault.into ?? 0) : 0
  const early = (fault.type === 'cut' && into === 0) || fault.type === 'silence' || fault.type === 'endless'
  if (early && place === 0) return yield* strike(fault, said)
  for await (const frame of frames) {
    if (!isPacket(frame)) {
      yield send(frame)
      continue
    }
    packets += 1
    if (fault.type === 'gap' && packets > place && packets <= place + fault.count) continue
    if (fault.type === 'overlap' && packets <= fault.from) continue
    if (fault.type === 'swap' && packets === place + 1) {
      held = frame
      continue
    }
    if (!early && !done && packets > place) {
      done = true
      if (into > 0) {
        yield { type: 'send', bytes: utf8.encode(frame).subarray(0, into) }
        return yield* strike(fault, said)
      }
      yield* strike(fault, said)
    }
    said.push(frame)
    yield send(frame)
    if (held !== undefined) yield send(held)
    held = undefined
    if (early && packets === place) return yield* strike(fault, said)
  }
  if (held !== undefined) yield send(held)
  if (!done) yield* strike(fault, said)
}

async function* strike(fault: FaultAtPacket, said: readonly string[]): Steps {
  switch (fault.type) {
    case 'cut':
      return yield { type: fault.how ?? 'reset' }
    case 'silence': {
      const every = fault.commentsEveryMs
      while (every !== undefined) {
        yield { type: 'wait', ms: every }
        yield send(': alive\n\n')
      }
      return yield { type: 'hang' }
    }
    case 'replay':
      for (let time = 0; time < fault.times; time += 1) for (const frame of said) yield send(frame)
      return
    case 'insert':
      for (let time = 0; time < (fault.times ?? 1); time += 1) yield send(fault.data)
      return
    case 'endless': {
      const bytes = utf8.encode(fault.data)
      for (let sent = 0; sent < fault.bytes; sent += bytes.byteLength) yield { type: 'send', bytes }
      return yield { type: 'hang' }
    }
    case 'gap':
    case 'swap':
    case 'overlap':
      return
  }
}

/** Cuts an event stream after each blank line. What is left at the end comes last. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const reader = body.getReader()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
      for (let end = endOfFrame(text); end !== -1; end = endOfFrame(text)) {
        yield text.slice(0, end)
        text = text.slice(end)
      }
    }
    if (text !== '') yield text
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

/** Where the first event of a text ends, behind its blank line; -1 when it has none. */
function endOfFrame(text: string): number {
  const blank = /\r\n\r\n|\n\n|\r\r(?!\n)/.exec(text)
  return blank === null ? -1 : blank.index + blank[0].length
}
