import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { defineConfig } from 'vite'
import { gathered } from './scripts/gathered.ts'
import { sharedReact } from './scripts/shared-react.ts'
import { unlayered } from './scripts/unlayered.ts'

// The library build. The playground has vite.config.ts, so that `npm run dev` loads none of this.

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  readonly bin: Readonly<Record<string, string>>
  readonly browser: Readonly<Record<string, string>>
}

/** `./dist/cap.js` of the exports becomes the entry `cap: src/cap.ts`: a door that is not exported is not built. */
function entriesOf(manifest: Manifest): Record<string, string> {
  const entries: Record<string, string> = {}
  // `dist/cli/main.js` of a program becomes the entry `cli/main: src/cli/main.ts`, and so does what browsers get in place of a module.
  for (const file of [...Object.values(manifest.bin), ...Object.values(manifest.browser)]) {
    const path = file.replace(/^(?:\.\/)?dist\/|\.js$/g, '')
    entries[path] = `src/${path}.ts`
  }
  for (const target of Object.values(manifest.exports)) {
    const file = typeof target === 'string' ? target : target.default
    const door = /^\.\/dist\/([\w-]+)\.(js|css)$/.exec(file)
    if (door?.[1] === undefined) continue
    entries[door[1]] = `src/${door[1]}.${door[2] === 'css' ? 'css' : 'ts'}`
  }
  return entries
}

/** `styles-unlayered.css` is made of `styles.css`, so that there is one source of both; each block of either is said once. */
const sheetsOfTheKit: Plugin = {
  name: 'sheets-of-the-kit',
  enforce: 'post',
  generateBundle(_, bundle) {
    for (const [name, finish] of [
      ['styles.css', gathered],
      ['styles-unlayered.css', (sheet: string) => unlayered(gathered(sheet))],
    ] as const) {
      const sheet = bundle[name]
      if (sheet?.type !== 'asset') throw new Error(`The build made no ${name}.`)
      sheet.source = finish(String(sheet.source))
    }
  },
}

// JSON.parse gives `any`; package.test.ts proves that every export resolves.
const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as Manifest

export default defineConfig({
  publicDir: false,
  plugins: [sheetsOfTheKit, sharedReact],
  build: {
    target: 'es2022',
    // The style sheet says itself what it needs (light-dark(), layers, container queries): nothing is rewritten.
    cssTarget: 'esnext',
    cssMinify: false,
    minify: false,
    cssCodeSplit: true,
    emptyOutDir: true,
    lib: { entry: entriesOf(manifest), formats: ['es'] },
    rolldownOptions: {
      onLog(level, log, pass) {
        // With one output file per module 'use client' stays where it was written; package.test.ts looks.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') pass(level, log)
      },
      external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('src/'),
      output: {
        // Vite writes `var`, of which a page's bundler inlines nothing.
        topLevelVar: false,
        preserveModules: true,
        preserveModulesRoot: 'src',
        entryFileNames: '[name].js',
        assetFileNames: '[name][extname]',
      },
    },
  },
})
