import type { IncomingMessage } from 'node:http'

/**
 * Reads a request body, at most one byte more than `most`: enough to check its size.
 * Rejects when the client leaves before the end.
 */
export function readBody(req: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const done = (): void => resolve(Buffer.concat(chunks).subarray(0, most + 1))
    req.on('data', (chunk: Buffer) => {
      if (size > most) return
      chunks.push(chunk)
      size += chunk.byteLength
      if (size > most) done()
    })
    req.on('end', done)
    req.on('error', reject)
    req.on('close', () => reject(new Error('The client left before its request was complete.')))
  })
}
