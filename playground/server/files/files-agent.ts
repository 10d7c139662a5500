import type { ServiceRequest } from '../../../src/protocols/cap/schema/request.ts'
import type { Agent } from '../../../src/server.ts'
import { fatal } from '../../../src/server.ts'
import { createDocsAgent } from '../docs/docs-agent.ts'
import { createDocsIndex, type DocsIndex } from '../docs/docs-index.ts'
import type { Pace } from '../pace.ts'
import type { FileStore, StoredFile } from './file-store.ts'
import { FILES_ADDRESS } from './files-endpoint.ts'

export interface FilesAgentOptions {
  readonly files: FileStore
  /** Answers messages without files, in a conversation without any. */
  readonly otherwise: Agent
  readonly pace?: Pace | undefined
}

const MOST_SESSIONS = 200

/** Answers from the text files of a conversation and from nothing else; each source leads to the file itself. */
export function createFilesAgent({ files, otherwise, pace }: FilesAgentOptions): Agent {
  const idsBySession = new Map<string, readonly string[]>()
  const filesOf = (request: ServiceRequest): readonly (StoredFile | undefined)[] =>
    (idsBySession.get(request.payload.session_id) ?? []).map((id) => files.get(id))
  const index = (request: ServiceRequest): DocsIndex =>
    createDocsIndex(filesOf(request).flatMap((file) => (file ? [pageOf(file)] : [])))
  const reader = createDocsAgent({ index, pace })

  return (request, run) => {
    const { session_id: session } = request.payload
    const known = idsBySession.get(session) ?? []
    const ids = [...new Set([...known, ...fileIdsOf(request)])]
    if (ids.length === 0) return otherwise(request, run)
    idsBySession.delete(session)
    idsBySession.set(session, ids)
    const [oldest] = idsBySession.keys()
    if (idsBySession.size > MOST_SESSIONS && oldest !== undefined) idsBySession.delete(oldest)
    return filesOf(request).includes(undefined) ? refuse() : reader(request, run)
  }
}

async function* refuse(): AsyncGenerator<ReturnType<typeof fatal>> {
  yield fatal('file_not_found', 'A file of this conversation is no longer kept. Begin a new one and attach it again.')
}

function pageOf({ id, name, text }: StoredFile) {
  return { path: name, markdown: text, address: `${FILES_ADDRESS}/${id}` }
}

/** `payload.files`, as far as it is a list of ids. */
function fileIdsOf(request: ServiceRequest): string[] {
  const { files } = request.payload.payload
  return Array.isArray(files) ? files.filter((id) => typeof id === 'string') : []
}
