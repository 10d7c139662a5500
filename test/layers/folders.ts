import { posix } from 'node:path'
import type { SourceFile } from './rules.ts'
import { scan } from './scan.ts'

const MOST_FILES = 25
/** Folders with more files: one small step of one algorithm per file, the components of few files, and the entry points, of which each export has one. */
const LARGE_FOLDERS: readonly string[] = ['markdown/block', 'components', '.']

/** A component of one to three files is straight in this folder: its files are there what folders are elsewhere. */
const FLAT_FOLDER = 'components'

/** What to do about a cycle or a large folder. */
export const ORDER_OF_FOLDERS = `Each line names folders of src that import each other, or a folder with too many files. What to do:
- a cycle: the lines below it name the files. Move what both need into a folder that imports neither (components/internals,
  base), or hand it over as an argument.
- more than ${MOST_FILES} files: make folders in it by what the files are for, so that the new folders form no cycle.`

/** The folder that a file is in; a file straight in components is one itself. */
function folderOf(path: string): string {
  const folder = posix.dirname(path)
  return folder === FLAT_FOLDER ? path.replace(/\.\w+$/, '') : folder
}

/** Which folders a folder imports, and by which files. */
function importsOf(files: readonly SourceFile[]): Map<string, Map<string, string>> {
  const graph = new Map<string, Map<string, string>>()
  for (const { path, text } of files) {
    const folder = folderOf(path)
    const targets = graph.get(folder) ?? new Map<string, string>()
    graph.set(folder, targets)
    for (const { specifier } of scan(path, text).imports) {
      if (!specifier.startsWith('.')) continue
      const target = folderOf(posix.join(posix.dirname(path), specifier))
      if (target !== folder && !targets.has(target)) targets.set(target, `${path} imports ${specifier}`)
    }
  }
  return graph
}

/** Cycles between folders, types included: one line each, with a file for every step. A folder and the folder around it count too. */
export function folderCycles(files: readonly SourceFile[]): string[] {
  const graph = importsOf(files)
  const cycles: string[] = []
  const done = new Set<string>()

  function visit(folder: string, path: readonly string[]): void {
    const start = path.indexOf(folder)
    if (start !== -1) {
      const cycle = [...path.slice(start), folder]
      cycles.push(
        cycle
          .slice(1)
          .map((to, index) => graph.get(cycle[index] ?? '')?.get(to) ?? '')
          .join('; '),
      )
      return
    }
    if (done.has(folder)) return
    for (const target of graph.get(folder)?.keys() ?? []) visit(target, [...path, folder])
    done.add(folder)
  }

  for (const folder of graph.keys()) visit(folder, [])
  return cycles
}

/** Folders with more files than one can take in, one line each. */
export function largeFolders(files: readonly SourceFile[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of files) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
  return [...counts].flatMap(([folder, count]) =>
    count > MOST_FILES && !LARGE_FOLDERS.includes(folder) ? [`${folder} has ${count} files`] : [],
  )
}
