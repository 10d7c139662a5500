import { resolve } from 'node:path'
import type { Alias, Connect, HttpServer, Plugin } from 'vite'
import { readDocsPages } from './docs/docs-page.ts'
import { createPlayground, type Playground } from './playground.ts'

const PAGE = '/playground/index.html'
const PAGE_ADDRESSES = new Set(['/', '/index.html', '/playground', '/playground/'])

/** Puts the reference agent, its bench and the pages it reads into `vite` and `vite preview`. */
export function playgroundServer(): Plugin {
  const attach = async (root: string, middlewares: Connect.Server, http: HttpServer | null): Promise<Playground> => {
    const playground = createPlayground({ pages: await readDocsPages(root), onError: (error) => console.error(error) })
    http?.on('upgrade', playground.upgrade)
    middlewares.use((req, res, next) => {
      playground.handle(req, res, () => {
        req.url = pageAddress(req.url ?? '/')
        next()
      })
    })
    return playground
  }

  return {
    name: 'capstan:playground-server',
    config: ({ root = process.cwd() }) => ({ resolve: { alias: entryPoints(root) } }),
    async configureServer(server) {
      // Storybook and the test runner share the config but serve their own pages.
      if (server.config.server.middlewareMode || process.env['VITEST']) return
      const { root } = server.config
      const playground = await attach(root, server.middlewares, server.httpServer)
      const reread = (file: string): void => {
        if (file.endsWith('.md') && !file.includes('node_modules'))
          void readDocsPages(root).then((pages) => playground.setPages(pages))
      }
      server.watcher.on('add', reread).on('change', reread).on('unlink', reread)
      server.httpServer?.once('close', () => playground.dispose())
    },
    async configurePreviewServer(server) {
      const playground = await attach(server.config.root, server.middlewares, server.httpServer)
      server.httpServer.once('close', () => playground.dispose())
    },
  }
}

/** The page imports what a user of the package imports; here it comes from the sources, so that edits show at once. */
function entryPoints(root: string): Alias[] {
  const src = resolve(root, 'src')
  return [
    { find: /^capstan$/, replacement: `${src}/index.ts` },
    { find: /^capstan\/styles\.css$/, replacement: `${src}/styles.css` },
    { find: /^capstan\/math\.css$/, replacement: `${src}/formulas.css` },
    { find: /^capstan\/diagram\.css$/, replacement: `${src}/diagrams.css` },
    { find: /^capstan\/highlight\.css$/, replacement: `${src}/highlighting.css` },
    { find: /^capstan\/([\w-]+)$/, replacement: `${src}/$1.ts` },
  ]
}

/** The page lives in its own folder but is served at the root. */
function pageAddress(url: string): string {
  const [path = '/', query] = url.split('?', 2)
  if (!PAGE_ADDRESSES.has(path)) return url
  return query === undefined ? PAGE : `${PAGE}?${query}`
}
