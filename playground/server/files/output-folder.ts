import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where an agent may write, with the permission of the user: one folder, and nothing above or below it. */
export interface OutputFolder {
  /** Resolves with the path of the file. Rejects for a name that is not one of `FILE_NAME`. */
  write(name: string, text: string): Promise<string>
}

/** Names of files that an agent writes, as a JSON Schema pattern. */
export const FILE_NAME = '^[A-Za-z0-9][A-Za-z0-9_-]{0,59}\\.md$'

/** @param path an existing folder. @default a new one in the system's folder for temporary files, made at the first file */
export function createOutputFolder(path?: string): OutputFolder {
  let folder = path === undefined ? undefined : Promise.resolve(path)
  return {
    async write(name, text) {
      if (!new RegExp(FILE_NAME).test(name)) throw new Error(`${JSON.stringify(name)} is no name of a file here.`)
      folder ??= mkdtemp(join(tmpdir(), 'capstan-playground-'))
      const file = join(await folder, name)
      await writeFile(file, text)
      return file
    },
  }
}
