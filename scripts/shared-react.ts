import { posix } from 'node:path'
import type { Plugin } from 'vite'

const IMPORT = /^import \{ (.*) \} from "(react|react\/jsx-runtime)";$/gm

/**
 * Lets one module of the build import React for all others. esbuild keeps the import of each module, under names of its own,
 * and a page pays for them: with 180 modules that is 3 kB, gzipped. Other bundlers join them either way.
 */
export const sharedReact: Plugin = {
  name: 'shared-react',
  enforce: 'post',
  generateBundle(_, bundle) {
    const taken = new Map<string, Set<string>>()
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue
      chunk.code = chunk.code.replace(IMPORT, (_line, list: string, from: string) => {
        const names = taken.get(from) ?? new Set()
        taken.set(from, names)
        for (const name of list.split(', ')) names.add(name.replace(/ as .*/, ''))
        const path = posix.relative(posix.dirname(chunk.fileName), fileOf(from))
        return `import { ${list} } from "${path.startsWith('.') ? path : `./${path}`}";`
      })
    }
    for (const [from, names] of taken)
      this.emitFile({
        type: 'asset',
        fileName: fileOf(from),
        source: `export { ${[...names].toSorted().join(', ')} } from "${from}";\n`,
      })
  },
}

function fileOf(name: string): string {
  return `shared-${name.replace('/', '-')}.js`
}
