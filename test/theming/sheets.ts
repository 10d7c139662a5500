import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import postcss from 'postcss'
import { compile } from 'tailwindcss'
import tailwind3 from 'tailwindcss-3'
import { gathered } from '../../scripts/gathered.ts'
import { unlayered } from '../../scripts/unlayered.ts'
import { ROOT } from '../layers/files.ts'

// Style sheets as the pages of hosts get them.

async function bundle(entryPoint: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}src/${entryPoint}`],
    bundle: true,
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** The sheet of capstan as its sources have it, part after part. */
export function writtenSheet(): Promise<string> {
  return bundle('styles.css')
}

/** capstan's sheets by the name of their entry point. */
export async function kitSheets(): Promise<
  Readonly<Record<'styles.css' | 'styles-unlayered.css' | 'shadcn.css', string>>
> {
  const [styles, all, shadcn] = await Promise.all([
    writtenSheet().then(gathered),
    bundle('styles-unlayered.css').then(gathered),
    bundle('shadcn.css'),
  ])
  return {
    'styles.css': styles,
    'styles-unlayered.css': unlayered(all),
    'shadcn.css': shadcn,
  }
}

/** The sheet of the app that `npm create vite` makes with React and TypeScript, and of its first page. */
export async function viteTemplate(): Promise<string> {
  const sheets = await Promise.all(
    ['index.css', 'App.css'].map((name) =>
      readFile(`${ROOT}node_modules/create-vite/template-react-ts/src/${name}`, 'utf8'),
    ),
  )
  return sheets.join('\n')
}

/** A script that puts every part on the page. */
export async function galleryScript(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${ROOT}test/theming/gallery.tsx`],
    bundle: true,
    write: false,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** What Tailwind 4 makes of a sheet that imports `tailwindcss` and perhaps entry points of `capstan`. */
export async function withTailwind4(sheet: string, utilities: readonly string[] = []): Promise<string> {
  const kit: Readonly<Record<string, string>> = await kitSheets()
  const { build: generate } = await compile(sheet, {
    base: ROOT,
    async loadStylesheet(id, base) {
      const content = id.startsWith('capstan/')
        ? kit[id.slice('capstan/'.length)]
        : await readFile(
            fileURLToPath(import.meta.resolve(id === 'tailwindcss' ? 'tailwindcss/index.css' : id)),
            'utf8',
          )
      if (content === undefined) throw new Error(`No sheet is called ${id}.`)
      return { path: id, base, content }
    },
  })
  return generate([...utilities])
}

/** What Tailwind 3 makes of a sheet with its `@tailwind` rules. */
export async function withTailwind3(sheet: string, utilities: readonly string[] = []): Promise<string> {
  // One that nobody uses keeps it from warning that there are none.
  const { css } = await postcss([tailwind3({ content: [{ raw: ['sr-only', ...utilities].join(' ') }] })]).process(
    sheet,
    { from: undefined },
  )
  return css
}
