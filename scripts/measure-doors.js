import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { rolldown } from 'rolldown'

// What a door costs a page: bundled from dist, minified, gzipped, React left out. Run `npm run build` first.

/** Entries by name: whole doors, and what people import of them. */
export const ENTRIES = {
  core: "export * from './dist/index.js'",
  cap: "export { CapClient } from './dist/cap.js'",
  'cap, whole door with schemas': "export * from './dist/cap.js'",
  'cap + react': "export { CapClient } from './dist/cap.js'; export { AgentProvider, useCapChat, useChatSelector } from './dist/react.js'",
  'cap + components': "export { CapClient } from './dist/cap.js'; export { AgentProvider } from './dist/react.js'; export { Chat } from './dist/components.js'",
  server: "export * from './dist/server.js'",
}

const ROOT = new URL('..', import.meta.url).pathname
const EXTERNAL = ['react', 'react-dom', 'react/jsx-runtime']

/** @returns {Promise<number>} bytes after gzip */
async function withEsbuild(code) {
  const { outputFiles } = await build({ stdin: { contents: code, resolveDir: ROOT }, bundle: true, minify: true, format: 'esm', target: 'es2022', write: false, external: EXTERNAL, logLevel: 'error' })
  return gzipped(outputFiles.map(({ text }) => text))
}

/** @returns {Promise<number>} bytes after gzip */
async function withRolldown(code) {
  const entry = `${ROOT}entry-of-a-page.js`
  const plugin = { name: 'entry', resolveId: (id) => (id === entry ? id : undefined), load: (id) => (id === entry ? code : undefined) }
  const bundle = await rolldown({ input: entry, external: EXTERNAL, plugins: [plugin], logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  return gzipped(output.map((chunk) => ('code' in chunk ? chunk.code : '')))
}

function gzipped(texts) {
  return gzipSync(texts.join('\n'), { level: 9 }).length
}

/** @returns {Promise<Record<string, { esbuild: number, rolldown: number }>>} */
export async function measureDoors() {
  const sizes = {}
  for (const [name, code] of Object.entries(ENTRIES)) sizes[name] = { esbuild: await withEsbuild(code), rolldown: await withRolldown(code) }
  return sizes
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const sizes = await measureDoors()
  if (process.argv.includes('--json')) process.stdout.write(JSON.stringify(sizes))
  else for (const [name, { esbuild, rolldown: other }] of Object.entries(sizes)) process.stdout.write(`${name.padEnd(30)} esbuild ${esbuild} B, rolldown ${other} B\n`)
}
