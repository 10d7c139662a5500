import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What is deleted: the two folders of the protocol, its entry points, and for ARCP its runtime and the program around it. */
export const PROTOCOLS: Readonly<Record<string, readonly string[]>> = {
  a2a: ['protocols/a2a', 'a2a.ts'],
  'ag-ui': ['protocols/ag-ui', 'server/wires/ag-ui', 'ag-ui.ts'],
  'ai-sdk': ['protocols/ai-sdk', 'server/wires/ai-sdk', 'ai-sdk.ts'],
  arcp: ['protocols/arcp', 'arcp.ts', 'arcp-runtime.ts', 'runtime', 'cli'],
}

/**
 * Takes a protocol out of the sources in `folder`. Besides what is deleted it may be named in three ways: re-exports of an entry point,
 * imports of its wire, and rows of a table that begin with its name, which is then in a union of names as well.
 *
 * @returns the files that were changed, by their paths below `src`
 */
export function removeProtocol(name: string, folder: string): readonly string[] {
  const src = join(folder, 'src')
  for (const path of PROTOCOLS[name] ?? []) rmSync(join(src, path), { recursive: true })
  const statement = new RegExp(
    String.raw`^(?:import|export) [^;]*?from '[./]+(?:server/)?(?:protocols|wires)/${name}/[^']+'\n`,
    'gm',
  )
  const row = new RegExp(String.raw`^ *'${name}': .*,\n`, 'gm')
  const member = new RegExp(String.raw`'${name}' \| | \| '${name}'`, 'g')
  const changed: string[] = []
  for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(path)) continue
    const text = readFileSync(join(src, path), 'utf8')
    const lines = text.split(/(?<=\n)(?=import |export )/).map((part) => part.replace(statement, ''))
    let rest = lines.join('')
    if (path.startsWith('server/')) rest = rest.replace(row, '').replace(member, '')
    if (rest === text) continue
    writeFileSync(join(src, path), rest)
    changed.push(path)
  }
  return changed.toSorted()
}

/** The parts of the repository that `tsc` and the unit tests read. */
export const REPOSITORY: readonly string[] = [
  'src',
  'test',
  'stories',
  'playground',
  'docs',
  'scripts',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
]

/** Copies parts of the repository, without packages that tests install in their own folders. */
export function copyRepository(root: string, folder: string, parts: readonly string[]): void {
  const isSource = (path: string): boolean => basename(path) !== 'node_modules'
  for (const part of parts) cpSync(join(root, part), join(folder, part), { recursive: true, filter: isSource })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}
