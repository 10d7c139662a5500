// Which tests run through a source file, the nearest first.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * @param scan finds the imports of a file
 * @returns the files of src, and for each its tests: those named after it, then by the number of imports between
 */
export function createNearestTests(root, scan) {
  const files = ['src', 'test', 'stories', 'playground'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  )
  const importers = new Map(files.map((file) => [file, []]))
  for (const file of files) {
    const path = join(root, file)
    for (const { specifier, typeOnly } of scan(path, readFileSync(path, 'utf8')).imports) {
      const entry = /^capstan\/([\w-]+)$/.exec(specifier)
      const to = entry ? `src/${entry[1]}.ts` : relative(root, join(dirname(path), specifier))
      if (!typeOnly) importers.get(to)?.push(file)
    }
  }

  return {
    sources: files.filter((file) => file.startsWith('src/')).toSorted(),
    of(source) {
      const name = source.replace(/^src\//, 'test/').replace(/(\.browser)?\.tsx?$/, '.')
      const found = []
      const known = new Set([source])
      for (let ring = [source]; ring.length > 0;) {
        const next = []
        for (const file of ring)
          for (const importer of importers.get(file) ?? []) {
            if (known.has(importer)) continue
            known.add(importer)
            if (/\.test\.tsx?$/.test(importer)) found.push(importer)
            next.push(importer)
          }
        ring = next
      }
      const named = files.filter((file) => file.startsWith(name) && /\.test\.tsx?$/.test(file))
      return [...new Set([...named, ...found])].filter((file) => existsSync(join(root, file)))
    },
  }
}
