import { posix } from 'node:path'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'
import { ROOT } from '../layers/files.ts'

/** What a page gets of the package and of others: modules by their path, packages by their name. */
export interface Shipped {
  /** With the page. */
  readonly atOnce: readonly string[]
  /** What it fetches when it needs it, each by the module it begins with. */
  readonly later: readonly string[]
}

/** Outside, because every page has them already or says itself that it wants them. */
const OUTSIDE =
  /^(react|react-dom|katex|shiki|redis|@tanstack\/react-query|@microsoft\/fetch-event-source)(\/|$)|^node:/

/** `dist/a.js` for a module of ours, the package's name for one of others. */
function nameOf(path: string): string {
  return /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.replace(ROOT, '')
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].toSorted()

async function withEsbuild(code: string): Promise<Shipped> {
  const { metafile } = await build({
    stdin: { contents: code, resolveDir: ROOT, sourcefile: 'page.js' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
    plugins: [
      {
        name: 'outside',
        setup({ onResolve }) {
          onResolve({ filter: OUTSIDE }, ({ path }) => ({ path, external: true }))
          // Bundled along, or split off, what is fetched later would draw into the page what the two could share.
          onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) =>
            kind === 'dynamic-import' ? { path: posix.join(resolveDir, path), external: true } : undefined,
          )
        },
      },
    ],
  })
  const [page] = Object.values(metafile.outputs)
  const modules = Object.entries(page?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
    bytesInOutput > 0 && path !== 'page.js' ? [nameOf(path)] : [],
  )
  const later = (page?.imports ?? []).flatMap(({ path, kind }) =>
    kind === 'dynamic-import' && !OUTSIDE.test(path) ? [nameOf(path)] : [],
  )
  return { atOnce: sorted(modules), later: sorted(later) }
}

async function withRolldown(code: string): Promise<Shipped> {
  const page = posix.join(ROOT, 'page.js')
  const bundle = await rolldown({
    input: page,
    external: (id) => OUTSIDE.test(id),
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === page ? id : undefined),
        load: (id) => (id === page ? code : undefined),
      },
    ],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const chunks = output.flatMap((file) => (file.type === 'chunk' ? [file] : []))
  const loaded = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const { imports } of loaded) for (const chunk of chunks) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  const modules = [...loaded].flatMap(({ modules: own }) =>
    Object.entries(own).flatMap(([path, { renderedLength }]) =>
      renderedLength > 0 && path !== page && !path.startsWith('\0') ? [nameOf(path)] : [],
    ),
  )
  const later = [...loaded].flatMap(({ dynamicImports }) =>
    chunks.flatMap(({ fileName, facadeModuleId }) =>
      dynamicImports.includes(fileName) ? [nameOf(facadeModuleId ?? fileName)] : [],
    ),
  )
  return { atOnce: sorted(modules), later: sorted(later) }
}

/** Two bundlers that apps use: what one leaves out the other might keep. */
export const BUNDLERS = [
  ['esbuild', withEsbuild],
  ['rolldown', withRolldown],
] as const
