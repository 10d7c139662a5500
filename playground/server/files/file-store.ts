/** A text file that somebody attached. */
export interface StoredFile {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** Files by id, in memory: gone with the server, and the oldest one goes when there are too many. */
export interface FileStore {
  add(name: string, text: string): StoredFile
  get(id: string): StoredFile | undefined
}

const MOST_FILES = 50

export function createFileStore(uuid: () => string = () => crypto.randomUUID()): FileStore {
  const files = new Map<string, StoredFile>()
  return {
    add(name, text) {
      const file: StoredFile = { id: uuid(), name, text }
      files.set(file.id, file)
      const [oldest] = files.keys()
      if (files.size > MOST_FILES && oldest !== undefined) files.delete(oldest)
      return file
    },
    get: (id) => files.get(id),
  }
}
