/** What a room may import, beside itself. */
export interface Room {
  readonly rooms: readonly string[]
  /** Rooms it may name in types only. */
  readonly types?: readonly string[]
  /** Packages, as they are imported. */
  readonly packages?: readonly string[]
  /** Time, chance and the network come through ports here, never as globals. */
  readonly sealed?: boolean
}

const PROTOCOL: Room = { rooms: ['base', 'wire', 'seam'], packages: ['zod/mini'], sealed: true }
const PROTOCOLS = ['protocols/cap', 'protocols/a2a', 'protocols/arcp']

/** The house on one page: who may import whom. `.oxlintrc.json` says the same to the editor. */
export const ROOMS: Readonly<Record<string, Room>> = {
  base: { rooms: [], sealed: true },
  wire: { rooms: ['base'] },
  seam: { rooms: ['base'], sealed: true },
  'protocols/cap': PROTOCOL,
  'protocols/a2a': PROTOCOL,
  'protocols/arcp': PROTOCOL,
  session: { rooms: ['base', 'seam'], sealed: true },
  state: { rooms: ['base', 'seam', 'session'], sealed: true },
  clients: { rooms: ['base', 'wire', 'seam', 'session', ...PROTOCOLS] },
  hooks: { rooms: ['base', 'seam', 'session', 'state', 'clients', ...PROTOCOLS], packages: ['react'] },
  markdown: { rooms: ['base'], packages: ['react'] },
  components: {
    rooms: ['base', 'seam', 'state', 'hooks', 'markdown'],
    types: ['session'],
    packages: ['react', 'react-dom', '@tanstack/react-virtual'],
  },
  query: { rooms: ['base', 'state', 'hooks', 'clients', 'protocols/cap'], packages: ['react', '@tanstack/react-query'], sealed: true },
  server: { rooms: ['base', 'wire', 'protocols/cap'], sealed: true },
  storage: { rooms: ['base', 'seam', 'session', 'state'], sealed: true },
  testing: { rooms: ['base', 'wire', 'seam', 'protocols/cap', 'session', 'server'] },
}

/** Packages, or folders of them, that one file alone may import. */
export const ONE_FILE_PACKAGES: Readonly<Record<string, string>> = {
  '@microsoft/fetch-event-source': 'wire/fetch-event-source-transport.ts',
  idb: 'storage/disk/indexed-db-disk.ts',
  'shiki/core': 'components/highlight/shiki-tokenizer.ts',
  'shiki/engine/javascript': 'components/highlight/shiki-tokenizer.ts',
  'shiki/langs': 'components/highlight/common-languages.ts',
}

/** Node's own modules, in the one file that opens real sockets; it loads them when it is called, so that browsers can load the door. */
export const NODE_FILES: Readonly<Record<string, readonly string[]>> = {
  'testing/faulty-server.ts': ['node:http', 'node:net'],
}

/** The files that make ports out of globals. */
export const PORT_FILES = ['base/clock.ts', 'base/development.ts', 'base/digest.ts', 'base/environment.ts', 'base/frames.ts', 'base/online.ts', 'base/report.ts', 'base/visibility.ts', 'base/connection-slots.ts', 'storage/system-ports.ts']

/** Doors that only ever run in a client component. */
export const CLIENT_DOORS = ['react.ts', 'components.ts', 'highlight.ts', 'threads.ts']

/** The room of a file, by its path below src: the seam is the files straight in protocols/, a door stands in no room. */
export function roomOf(path: string): string {
  const folders = path.split('/').slice(0, -1)
  if (folders[0] !== 'protocols') return folders[0] ?? 'doors'
  return folders[1] === undefined ? 'seam' : `protocols/${folders[1]}`
}
