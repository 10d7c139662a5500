/** What a layer may import, beside itself. */
export interface Layer {
  readonly layers: readonly string[]
  /** Layers it may name in types only. */
  readonly types?: readonly string[]
  /** Packages, as they are imported. */
  readonly packages?: readonly string[]
  /** Time, chance and the network come through ports here, never as globals. */
  readonly sealed?: boolean
}

const PROTOCOLS = ['cap', 'a2a', 'ai-sdk', 'ag-ui', 'arcp']

/** One folder per protocol: what it reads and says, its client, and its hooks. None knows a sibling. */
const SIDES: Readonly<Record<string, Layer>> = Object.fromEntries(
  PROTOCOLS.flatMap((name): [string, Layer][] => [
    [`protocols/${name}`, { layers: ['base', 'wire', 'seam'], packages: ['zod/mini'], sealed: true }],
    [`protocols/${name}/client`, { layers: ['base', 'wire', 'seam', 'session', `protocols/${name}`] }],
    [
      `protocols/${name}/hooks`,
      {
        layers: ['base', 'seam', 'session', 'state', 'react', `protocols/${name}`, `protocols/${name}/client`],
        packages: ['react'],
      },
    ],
  ]),
)

/** All layers on one page: who may import whom. `.oxlintrc.json` says the same to the editor. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  base: { layers: [], sealed: true },
  wire: { layers: ['base'] },
  seam: { layers: ['base'], sealed: true },
  session: { layers: ['base', 'seam'], sealed: true },
  state: { layers: ['base', 'seam', 'session'], sealed: true },
  react: { layers: ['base', 'seam', 'session', 'state'], packages: ['react'] },
  ...SIDES,
  markdown: { layers: ['base'], packages: ['react'] },
  strings: { layers: ['base', 'seam'], types: ['state'], sealed: true },
  components: {
    layers: ['base', 'seam', 'state', 'react', 'markdown', 'strings'],
    types: ['session'],
    packages: ['react', 'react-dom', '@tanstack/react-virtual'],
  },
  query: {
    layers: ['base', 'state', 'react', 'protocols/cap', 'protocols/cap/client'],
    packages: ['react', '@tanstack/react-query'],
    sealed: true,
  },
  server: { layers: ['base', 'wire', 'protocols/cap'], types: ['seam'], sealed: true },
  runtime: { layers: ['base', 'wire', 'seam', 'protocols/arcp', 'server'], sealed: true },
  cli: { layers: ['base', 'wire', 'protocols/arcp', 'protocols/arcp/client', 'runtime', 'server'] },
  storage: { layers: ['base', 'seam', 'session', 'state'], sealed: true },
  testing: { layers: ['base', 'wire', 'seam', 'protocols/cap', 'session', 'server'] },
}

/** Files that may use a global of the window their code runs in, and which. */
export const PAGE_FILES: Readonly<Record<string, readonly string[]>> = {
  // The kind of pointer is the same in all windows of a device, and is asked for while rendering, without an element.
  'components/composer/composer-box.tsx': ['matchMedia'],
  // The document of an iframe has no visible title: the one around it has.
  'components/prompt-dock.tsx': ['document'],
  // An address that the app gives is relative to the app's own page.
  'components/create-diagram.tsx': ['document'],
  // Runs in the frame that it is sent to.
  'components/diagram/diagram-frame.ts': ['document', 'addEventListener', 'removeEventListener', 'parent'],
  // Development only: contexts of two copies of the package on one page.
  'react/agent-provider.tsx': ['globalThis'],
}

/** Packages, or folders of them, that these files alone may import. */
export const FILE_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  '@microsoft/fetch-event-source': ['wire/fetch-event-source-transport.ts'],
  'immutable-json-patch': ['base/json-patch.ts'],
  '@cfworker/json-schema': ['components/schema-form/bounded-judge.ts'],
  idb: ['storage/disk/indexed-db-disk.ts'],
  jose: ['protocols/a2a/client/verify-signatures.ts', 'runtime/session/verify-jwt.ts'],
  ws: ['cli/read-arguments.ts'],
  katex: ['components/create-math.tsx'],
  'shiki/core': ['components/highlight/shiki-tokenizer.ts'],
  'shiki/engine/javascript': ['components/highlight/shiki-tokenizer.ts'],
  'shiki/langs': ['components/highlight/common-languages.ts'],
}

/** Node's own modules, in the files that open real sockets or start programs; they load them when called, so that browsers can load the entry point. */
export const NODE_FILES: Readonly<Record<string, readonly string[]>> = {
  'cli/read-arguments.ts': ['node:util'],
  'cli/serve.ts': ['node:http', 'node:url'],
  'wire/stdio-transport.ts': ['node:child_process', 'node:stream'],
  'testing/faulty-server.ts': ['node:http', 'node:net'],
}

/** The files that may load a module whose name is computed: no bundler follows it. */
export const COMPUTED_IMPORTS: readonly string[] = [
  // A program that loads the module of tools that its user names with `--tools`. No entry point imports it, so no page loads it.
  'cli/serve.ts',
]

/** The files that make ports out of globals. */
export const PORT_FILES = [
  'base/ports/clock.ts',
  'base/development.ts',
  'base/digest.ts',
  'base/ports/environment.ts',
  'base/ports/connection-slots.ts',
  'storage/system-ports.ts',
]

/**
 * Entry points that only ever run in a client component. `react.ts` and `components.ts` are not among them: a server component that
 * takes one part from a file with the directive makes the page load all of them, so there each module has its own.
 */
export const CLIENT_ENTRY_POINTS = ['highlight.ts', 'math.ts']

/** The layer of a file, by its path below src: the client and the hooks of a protocol are layers, an entry point is in none. */
export function layerOf(path: string): string {
  const [top, name, side] = path.split('/').slice(0, -1)
  if (top !== 'protocols' || name === undefined) return top ?? 'entry points'
  return side === 'client' || side === 'hooks' ? `${top}/${name}/${side}` : `${top}/${name}`
}
