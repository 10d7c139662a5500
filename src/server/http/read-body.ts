import { HttpRefusal } from './http-refusal.ts'

/** A byte order mark is not a part of JSON, but harmless: it is left out. */
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The bytes of a body so far. */
export interface BodyBytes {
  /** @throws HttpRefusal 413 when there are too many */
  add(bytes: Uint8Array): void
  /** @throws HttpRefusal 400 when they are not UTF-8 */
  text(): string
}

/** Counts what really comes: Content-Length is a claim. */
export function createBodyBytes(maxBytes: number): BodyBytes {
  const chunks: Uint8Array[] = []
  let size = 0
  return {
    add(bytes) {
      size += bytes.byteLength
      if (size > maxBytes) throw tooLarge(maxBytes)
      chunks.push(bytes)
    },
    text() {
      const [only] = chunks
      try {
        return UTF8.decode(chunks.length === 1 ? only : joined(chunks, size))
      } catch {
        throw new HttpRefusal({ status: 400, code: 'invalid_request', message: 'The request body is not UTF-8.' })
      }
    },
  }
}

/** Reads a body to its end. */
export async function readBodyText(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, 'read' | 'cancel'> | undefined,
  maxBytes: number,
): Promise<string> {
  const body = createBodyBytes(maxBytes)
  for (let step = await reader?.read(); step?.done === false; step = await reader?.read()) {
    try {
      body.add(step.value)
    } catch (error) {
      // Not awaited: a client that continues sending must not keep us waiting.
      reader?.cancel().catch(() => {})
      throw error
    }
  }
  return body.text()
}

export function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal({
    status: 413,
    code: 'request_too_large',
    message: `The request body is over ${limit} bytes, the most this server reads. Send less.`,
  })
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size)
  let end = 0
  for (const chunk of chunks) {
    all.set(chunk, end)
    end += chunk.byteLength
  }
  return all
}
