import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import {
  CLIENT_ENTRY_POINTS,
  COMPUTED_IMPORTS,
  FILE_PACKAGES,
  PAGE_FILES,
  NODE_FILES,
  PORT_FILES,
  LAYERS,
  layerOf,
} from './layers.ts'
import { COMPUTED, scan, type ImportUse, type Scan } from './scan.ts'

/** A file by its path below the folder that is judged, with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const MOST_LINES = 600

/** What to do about a breach: the tests say it when they fail. */
export const ORDER_OF_LAYERS = `Each line names a file, its line and what it breaks. What to do:
- "may not import": move the code to the layer that may, or hand it over as an argument. test/layers/layers.ts is the table of
  layers, and .oxlintrc.json says the same to the editor; a new edge in it is a decision (docs/decisions).
- "must come through a port of base": take the clock, chance or network from the Environment that the caller gives.
- "is of one window" or "fails for what is of another window": an app may render a part into an iframe, a pop-out window or a
  shadow root. base/node-page.ts gives the window, the roots and the focus of an element.
- an entry point (src/*.ts) only re-exports by name. highlight.ts and math.ts begin with 'use client'; of react.ts and components.ts
  each module with a hook or a context does, and they do not (test/package.test.ts).
- "more than ${MOST_LINES} lines": split the file by what it does, and name each part after what it exports.`

export const NOTHING_OF_ONE_MACHINE = `Each line names a file that only one machine understands. What to do: write paths from the root of the repository, and no
host of a package registry (a lock file without hosts is made by the .npmrc of this folder).`

/** What a sealed layer gets through ports instead. */
export const ENVIRONMENT_GLOBALS: readonly string[] = `
  window document navigator location history localStorage sessionStorage indexedDB
  setTimeout setInterval clearTimeout clearInterval setImmediate
  requestAnimationFrame cancelAnimationFrame requestIdleCallback
  fetch XMLHttpRequest WebSocket EventSource BroadcastChannel
  performance crypto process globalThis self
  Math.random Date.now Date() AbortSignal.timeout
`
  .trim()
  .split(/\s+/)

/** What is of one window: a component in an iframe, a pop-out window or a shadow root has another. */
const PAGE_GLOBALS: readonly string[] = `
  window document self top parent globalThis navigator location screen visualViewport
  innerWidth innerHeight scrollX scrollY getSelection getComputedStyle matchMedia
  requestAnimationFrame cancelAnimationFrame addEventListener removeEventListener
  ResizeObserver IntersectionObserver MutationObserver
`
  .trim()
  .split(/\s+/)

/** Classes of the DOM: each window has its own, and an object of another one is not an instance of them. */
const DOM_CLASS =
  /^(?:Node|Element|Text|Document|ShadowRoot|Window|EventTarget|\w*Event|(?:HTML|SVG)\w*Element|File|FileList|Blob)$/

/** Parts that are rendered into a page, whichever it is. */
const PAGE_LAYERS = /^(?:components|markdown|react|protocols\/[\w-]+\/hooks)$/

function judgePage(path: string, { globals }: Scan): string[] {
  if (!PAGE_LAYERS.test(layerOf(path))) return []
  return globals.flatMap(({ name, use, line }) => {
    if (use === 'instanceof')
      return DOM_CLASS.test(name) ? [`${path}:${line} instanceof ${name} fails for what is of another window`] : []
    return use === 'value' && PAGE_GLOBALS.includes(name) && !PAGE_FILES[path]?.includes(name)
      ? [`${path}:${line} ${name} is of one window: take that of the element (base/node-page.ts)`]
      : []
  })
}

const MACHINE = [
  { pattern: /\bregistry\.[\w-]+\.\w+|\bnpmmirror\b|\byarnpkg\.com\b/, what: 'a registry host' },
  { pattern: /(?<![\w./-])\/(?:work|root|tmp)(?![\w-])/, what: 'a path of one machine' },
]
const SHARED = { pattern: /\.\.\/shared\b/, what: 'a folder beside the repository' }

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function judgeImport(path: string, use: ImportUse, declared: readonly string[]): string | undefined {
  const layer = layerOf(path)
  const { specifier } = use
  const table = layer === 'entry points' ? { layers: Object.keys(LAYERS), packages: [] } : LAYERS[layer]
  if (table === undefined) return `layer "${layer}" is not in the table`

  if (specifier === COMPUTED)
    return COMPUTED_IMPORTS.includes(path) ? undefined : `${layer} may not import a computed name`
  if (specifier.startsWith('.')) {
    const target = posix.join(posix.dirname(path), specifier)
    if (target.startsWith('../')) return `${specifier} leaves src`
    const other = layerOf(target)
    if (other === layer || table.layers.includes(other)) return undefined
    if (table.types?.includes(other))
      return use.typeOnly ? undefined : `${layer} may import types only from ${other} (${specifier})`
    return `${layer} may not import ${other} (${specifier})`
  }
  if (NODE_FILES[path]?.includes(specifier))
    return use.typeOnly || use.dynamic ? undefined : `${specifier} must be loaded when it is needed, by import()`
  if (isBuiltin(specifier)) return `${specifier} exists in Node only`
  const isItsFile = [specifier, posix.dirname(specifier)].some((name) => FILE_PACKAGES[name]?.includes(path))
  if (!table.packages?.includes(specifier) && !isItsFile) return `${layer} may not import the package ${specifier}`
  return declared.includes(packageOf(specifier)) ? undefined : `${specifier} is no dependency or peer of package.json`
}

function judgeEntryPoint(path: string, { directives, notReExports }: Scan): string[] {
  const faults = notReExports.map((line) => `${path}:${line} an entry point holds nothing but export { name } from`)
  if (CLIENT_ENTRY_POINTS.includes(path) && directives[0] !== 'use client')
    faults.push(`${path}:1 must start with 'use client'`)
  return faults
}

/** Every breach of the order of layers in the files of src, one readable line each. `declared`: what package.json depends on. */
export function breaches(files: readonly SourceFile[], declared: readonly string[]): string[] {
  return files.flatMap(({ path, text }) => {
    const found = scan(path, text)
    const faults = found.imports.flatMap((use) => {
      const fault = judgeImport(path, use, declared)
      return fault === undefined ? [] : [`${path}:${use.line} ${fault}`]
    })
    if (layerOf(path) === 'entry points') faults.push(...judgeEntryPoint(path, found))
    if (LAYERS[layerOf(path)]?.sealed && !PORT_FILES.includes(path)) {
      for (const { name, line } of found.globals) {
        if (ENVIRONMENT_GLOBALS.includes(name)) faults.push(`${path}:${line} ${name} must come through a port of base`)
      }
    }
    faults.push(...judgePage(path, found))
    const lines = text.trimEnd().split('\n').length
    if (lines > MOST_LINES) faults.push(`${path}:${lines} more than ${MOST_LINES} lines: two ideas in one file?`)
    return faults
  })
}

/** Every line of the repository that only one machine understands. Tests may read the folder next to it, nothing else may. */
export function machineWords(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const words = path.startsWith('test/') ? MACHINE : [...MACHINE, SHARED]
    return text
      .split('\n')
      .flatMap((line, index) =>
        words.filter(({ pattern }) => pattern.test(line)).map(({ what }) => `${path}:${index + 1} names ${what}`),
      )
  })
}

/** Files of the build that the benches, scripts and tests name, and that no source becomes: one line each. */
export function missingBuilt(files: readonly SourceFile[], sources: readonly string[]): string[] {
  const built = new Set(sources.map((path) => path.replace(/\.tsx?$/, '.js')))
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(/\.\/dist\/([\w./-]+\.js)'/g)].flatMap(([, file = '']) =>
      built.has(file) ? [] : [`${path} names dist/${file}`],
    ),
  )
}
