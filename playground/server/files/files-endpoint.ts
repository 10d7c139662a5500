import type { FileStore } from './file-store.ts'

/** Where files are uploaded, and below it where each can be read again. */
export const FILES_ADDRESS = '/files'
/** Largest file, in bytes. */
const MOST_FILE_BYTES = 200_000

const LONGEST_NAME = 200

/**
 * POST with the bytes of a text file as the body and its name as `?name=`: 201 with `{ id, name, size }`. GET below it gives a
 * file back as plain text. For the playground's own page only.
 */
export async function filesResponse(http: Request, files: FileStore): Promise<Response> {
  const url = new URL(http.url)
  const origin = http.headers.get('origin')
  if (origin !== null && origin !== url.origin) return refuse(403, 'Files are taken from the page of this server only.')
  if (http.method === 'GET') return fileResponse(url.pathname.slice(FILES_ADDRESS.length + 1), files)
  if (http.method !== 'POST' || url.pathname !== FILES_ADDRESS)
    return refuse(405, `Send POST to ${FILES_ADDRESS}, or GET a file.`)

  const bytes = await readAtMost(http.body, MOST_FILE_BYTES)
  if (bytes === undefined) return refuse(413, `over ${MOST_FILE_BYTES / 1000} kB`)
  const text = textIn(bytes)
  if (text === undefined) return refuse(415, 'not a text file')
  if (text.trim() === '') return refuse(422, 'nothing in it')
  const name = (url.searchParams.get('name') ?? '').slice(0, LONGEST_NAME) || 'file'
  const { id } = files.add(name, text)
  return Response.json({ id, name, size: bytes.byteLength }, { status: 201, headers: NOT_STORED })
}

function fileResponse(id: string, files: FileStore): Response {
  const file = files.get(id)
  if (file === undefined) return refuse(404, 'There is no such file any more.')
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  }
  return new Response(file.text, { headers: { ...headers, ...NOT_STORED } })
}

/** Undefined when there is more than `most`. */
async function readAtMost(body: ReadableStream<Uint8Array> | null, most: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** What an agent can read: UTF-8 without control characters no text has. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

const NOT_STORED = { 'cache-control': 'no-store' }

function refuse(status: number, message: string): Response {
  return Response.json({ message }, { status, headers: NOT_STORED })
}
