import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One markdown file, of the repository or attached by a user. */
export interface DocsPage {
  /** From the root of the repository, such as `docs/errors.md`. */
  readonly path: string
  readonly markdown: string
  /** Where it is served, when that does not follow from its path. */
  readonly address?: string | undefined
}

/** Reads README.md, CHANGELOG.md and docs/**\/*.md, whichever are there, in a stable order. */
export async function readDocsPages(root: string): Promise<DocsPage[]> {
  const inDocs = await readdir(join(root, 'docs'), { recursive: true }).catch(() => [])
  const nested = inDocs.map((name) => `docs/${name.replaceAll('\\', '/')}`).toSorted()
  const paths = ['README.md', 'CHANGELOG.md', ...nested].filter((path) => path.endsWith('.md'))
  const pages = await Promise.all(
    paths.map(async (path) => {
      const markdown = await readFile(join(root, path), 'utf8').catch(() => undefined)
      return markdown === undefined ? [] : [{ path, markdown }]
    }),
  )
  return pages.flat()
}

/** Where a page is served: `docs/errors.md` at `/docs/errors`, `README.md` at `/docs/readme`. */
export function addressOf(path: string): string {
  const name = path.replace(/\.md$/, '')
  return name.startsWith('docs/') ? `/${name}` : `/docs/${name.toLowerCase()}`
}
