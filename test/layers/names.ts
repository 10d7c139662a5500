import type { SourceFile } from './rules.ts'

/**
 * Folders that are siblings: what does the same job in each has the same name in each. So has what browsers get in place of a
 * module.
 */
const SIBLINGS: readonly RegExp[] = [/^protocols\/[^/]+\//, /^components\/(?:locales|dictionary)\//, /\.browser\.tsx?$/]

const EXPORT = /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm

export const ORDER_OF_NAMES = `Each line is a name that two files of src export. A reader who searches for it finds the wrong one. What to do:
- two things: give each a name that says which one it is.
- one thing: export it from one file, and import it in the other.
Siblings (protocols, languages) may repeat a name where the job is the same.`

/** Names that more than one source exports, entry points left out, with the files that do. */
export function namesExportedTwice(sources: readonly SourceFile[]): string[] {
  const byName = new Map<string, string[]>()
  for (const { path, text } of sources) {
    if (!path.includes('/') || SIBLINGS.some((folder) => folder.test(path))) continue
    for (const [, name = ''] of text.matchAll(EXPORT)) {
      const files = byName.get(name) ?? []
      if (!files.includes(path)) byName.set(name, [...files, path])
    }
  }
  return [...byName].flatMap(([name, files]) => (files.length > 1 ? [`${name}: ${files.join(', ')}`] : []))
}
