import type { OnAttach } from 'capstan/components'

const ADDRESS = '/files'

/** The largest file the embedded agent takes, in bytes, and what counts as text in a file dialog. */
export const MOST_FILE_BYTES = 200_000
export const TEXT_FILES = 'text/*,.md,.txt,.csv,.json,.log'

/** Uploads a file to this page's own server, whose agent reads it by its id. What it refuses is told in its own words. */
export const uploadFile: OnAttach = async (file, { signal }) => {
  const response = await fetch(`${ADDRESS}?name=${encodeURIComponent(file.name)}`, {
    method: 'POST',
    body: file,
    signal,
  })
  // Our own server, and told apart by the status.
  const answer = (await response.json()) as { id?: string; message?: string }
  if (answer.id !== undefined)
    return { id: answer.id, name: file.name, mimeType: file.type || undefined, size: file.size }
  if (response.status < 500) return { refused: answer.message ?? 'refused' }
  throw new Error(`The file could not be uploaded: HTTP ${response.status}.`)
}

/** Carries a file along in the request, for agents elsewhere. */
export const carryFile: OnAttach = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return { data: btoa(binary), name: file.name, mimeType: file.type || undefined, size: file.size }
}
