import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../layers/files.ts'
import { run } from './program.ts'

export interface PackedPackage {
  /** A folder of the test's own. Apps go here, where nothing of the repository is found by accident. */
  readonly folder: string
  /** The file that would go to a registry. */
  readonly tarball: string
  remove(): Promise<void>
}

/** Packs what `npm run build` has made. */
export async function packPackage(): Promise<PackedPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-apps-'))
  const name = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: ROOT })
  return { folder, tarball: join(folder, name.trim()), remove: () => rm(folder, { recursive: true, force: true }) }
}
