import { createServer } from 'vite'

/**
 * Imports a TypeScript module of the sources, and keeps its runner: what it loads on demand is loaded later. The runner lives as long as
 * the thread; `close` ends it before.
 */
export async function loadModule(path, root) {
  const server = await createServer({
    configFile: false,
    root,
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, watch: null, ws: false },
  })
  return { module: await server.environments.ssr.runner.import(path), close: () => server.close() }
}
