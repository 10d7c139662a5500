import { describe, expect, it } from 'vitest'
import { describeCircle, fileCircles, ORDER_OF_FILES } from './circles.ts'
import { readManifest, readTree } from './files.ts'
import { folderCycles, largeFolders, ORDER_OF_FOLDERS } from './folders.ts'
import { LAYERS } from './layers.ts'
import {
  breaches,
  machineWords,
  missingBuilt,
  NOTHING_OF_ONE_MACHINE,
  ORDER_OF_LAYERS,
  type SourceFile,
} from './rules.ts'

const manifest = readManifest()
const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
const sources = readTree('src/').filter(({ path }) => /\.tsx?$/.test(path))

describe('the layers of src', () => {
  it('import only what the table allows', () => {
    expect(sources.map(({ path }) => path)).toContain('base/agent-error.ts')
    expect(breaches(sources, declared), ORDER_OF_LAYERS).toEqual([])
  })

  it('have a table without cycles: a layer never reaches itself through its imports', () => {
    const reach = (layer: string): string[] => {
      const next = [...(LAYERS[layer]?.layers ?? []), ...(LAYERS[layer]?.types ?? [])]
      return [...next, ...next.flatMap(reach)]
    }
    for (const layer of Object.keys(LAYERS))
      expect(
        reach(layer),
        `test/layers/layers.ts lets ${layer} reach itself: take out the edge that closes the cycle.`,
      ).not.toContain(layer)
  })
})

describe('the folders of src', () => {
  it('form no cycle, inside components and server too', () => {
    expect(folderCycles(sources), ORDER_OF_FOLDERS).toEqual([])
  })

  it('hold no more files than one can take in', () => {
    expect(largeFolders(sources), ORDER_OF_FOLDERS).toEqual([])
  })

  it('are seen to form a cycle, or to be large, where that is planted', () => {
    const cycle: SourceFile[] = [
      { path: 'components/a/a.tsx', text: "import type { B } from '../b/b.tsx'" },
      { path: 'components/b/b.tsx', text: "import { c } from '../internals/c.ts'" },
      { path: 'components/internals/c.ts', text: "import { a } from '../a/a.tsx'" },
    ]
    expect(folderCycles(cycle)).toEqual([
      'components/a/a.tsx imports ../b/b.tsx; components/b/b.tsx imports ../internals/c.ts; components/internals/c.ts imports ../a/a.tsx',
    ])
    expect(folderCycles(cycle.slice(0, 2))).toEqual([])
    const files = Array.from({ length: 26 }, (_, index): SourceFile => ({ path: `react/use-${index}.ts`, text: '' }))
    expect(largeFolders(files)).toEqual(['react has 26 files'])
    expect(largeFolders(files.slice(1))).toEqual([])
  })
})

describe('the files of src', () => {
  it('form no circle of imports, types included', () => {
    expect(fileCircles(sources).map(describeCircle).toSorted(), ORDER_OF_FILES).toEqual([])
  })

  it('are seen to form a circle where one is planted, through types and through other files', () => {
    const planted: SourceFile[] = [
      { path: 'state/a.ts', text: "import type { B } from './b.ts'" },
      { path: 'state/b.ts', text: "export { c } from './inner/c.ts'" },
      { path: 'state/inner/c.ts', text: "const a = await import('../a.ts')\nimport { d } from '../d.ts'" },
      { path: 'state/d.ts', text: "import { useState } from 'react'" },
    ]
    expect(fileCircles(planted).map(describeCircle)).toEqual(['state: a.ts, b.ts, inner/c.ts'])
    expect(fileCircles(planted.slice(1))).toEqual([])
  })
})

describe('the repository', () => {
  it('names no machine, no registry and nothing beside itself', () => {
    expect(machineWords(readTree('')), NOTHING_OF_ONE_MACHINE).toEqual([])
  })
})

describe('the benches, scripts and tests', () => {
  it('name no file of the build that has no source', () => {
    const paths = sources.map(({ path }) => path)
    const files = ['bench/', 'scripts/', 'test/'].flatMap((folder) =>
      readTree(folder)
        .filter(({ path }) => /\.[jt]sx?$/.test(path))
        .map(({ path, text }) => ({ path: folder + path, text })),
    )
    expect(missingBuilt(files, paths)).toEqual([])
    expect(
      missingBuilt([{ path: 'bench/a.js', text: `import '${['..', 'dist', 'gone.js'].join('/')}'` }], paths),
    ).toEqual(['bench/a.js names dist/gone.js'])
  })
})

describe('a planted breach', () => {
  const caught = (path: string, text: string): string[] => breaches([{ path, text }], ['react', 'zod'])

  it.each<[path: string, text: string, fault: string]>([
    ['base/a.ts', "import { b } from '../wire/b.ts'", 'base/a.ts:1 base may not import wire (../wire/b.ts)'],
    ['base/a.ts', "import type { B } from '../state/b.ts'", 'base/a.ts:1 base may not import state (../state/b.ts)'],
    ['base/a.ts', "\nexport { b } from '../state/b.ts'", 'base/a.ts:2 base may not import state (../state/b.ts)'],
    ['base/a.ts', "export * from '../state/b.ts'", 'base/a.ts:1 base may not import state (../state/b.ts)'],
    ['base/a.ts', "import '../state/b.ts'", 'base/a.ts:1 base may not import state (../state/b.ts)'],
    ['base/a.ts', "const b = await import('../state/b.ts')", 'base/a.ts:1 base may not import state (../state/b.ts)'],
    ['base/a.ts', "let b: import('../state/b.ts').B", 'base/a.ts:1 base may not import state (../state/b.ts)'],
    ['base/a.ts', 'const b = await import(name)', 'base/a.ts:1 base may not import a computed name'],
    ['cli/a.ts', 'const b = await import(name)', 'cli/a.ts:1 cli may not import a computed name'],
    [
      'wire/a.ts',
      "import { open } from '../seam/protocol.ts'",
      'wire/a.ts:1 wire may not import seam (../seam/protocol.ts)',
    ],
    [
      'seam/protocol.ts',
      "import { Packet } from '../protocols/cap/packet.ts'",
      'seam/protocol.ts:1 seam may not import protocols/cap (../protocols/cap/packet.ts)',
    ],
    [
      'protocols/cap/a.ts',
      "import { b } from '../a2a/b.ts'",
      'protocols/cap/a.ts:1 protocols/cap may not import protocols/a2a (../a2a/b.ts)',
    ],
    [
      'session/a.ts',
      "import { b } from '../state/b.ts'",
      'session/a.ts:1 session may not import state (../state/b.ts)',
    ],
    [
      'state/a.ts',
      "import { b } from '../protocols/cap/b.ts'",
      'state/a.ts:1 state may not import protocols/cap (../protocols/cap/b.ts)',
    ],
    [
      'protocols/cap/client/a.ts',
      "import { b } from '../../a2a/b.ts'",
      'protocols/cap/client/a.ts:1 protocols/cap/client may not import protocols/a2a (../../a2a/b.ts)',
    ],
    [
      'protocols/cap/a.ts',
      "import { b } from './client/b.ts'",
      'protocols/cap/a.ts:1 protocols/cap may not import protocols/cap/client (./client/b.ts)',
    ],
    ['react/a.ts', "import { b } from '../wire/b.ts'", 'react/a.ts:1 react may not import wire (../wire/b.ts)'],
    [
      'components/m/a.tsx',
      "import { b } from '../../protocols/cap/b.ts'",
      'components/m/a.tsx:1 components may not import protocols/cap (../../protocols/cap/b.ts)',
    ],
    [
      'components/a.tsx',
      "import { next } from '../session/b.ts'",
      'components/a.tsx:1 components may import types only from session (../session/b.ts)',
    ],
    [
      'query/a.ts',
      "import { b } from '../components/b.ts'",
      'query/a.ts:1 query may not import components (../components/b.ts)',
    ],
    [
      'server/a.ts',
      "import { b } from '../session/b.ts'",
      'server/a.ts:1 server may not import session (../session/b.ts)',
    ],
    ['attic/a.ts', "import { b } from '../base/b.ts'", 'attic/a.ts:1 layer "attic" is not in the table'],
    ['base/a.ts', "import { b } from '../index.ts'", 'base/a.ts:1 base may not import entry points (../index.ts)'],
    ['base/a.ts', "import { b } from '../../test/b.ts'", 'base/a.ts:1 ../../test/b.ts leaves src'],
    ['session/a.ts', "import { useState } from 'react'", 'session/a.ts:1 session may not import the package react'],
    [
      'protocols/cap/a.ts',
      "import { z } from 'zod'",
      'protocols/cap/a.ts:1 protocols/cap may not import the package zod',
    ],
    ['server/a.ts', "import next from 'next'", 'server/a.ts:1 server may not import the package next'],
    [
      'components/a.tsx',
      "import { createPortal } from 'react-dom'",
      'components/a.tsx:1 react-dom is no dependency or peer of package.json',
    ],
    ['server/a.ts', "import { createServer } from 'node:http'", 'server/a.ts:1 node:http exists in Node only'],
    [
      'wire/a.ts',
      "import { fetchEventSource } from '@microsoft/fetch-event-source'",
      'wire/a.ts:1 wire may not import the package @microsoft/fetch-event-source',
    ],
    [
      'components/a.tsx',
      "import { createShikiPrimitive } from 'shiki/core'",
      'components/a.tsx:1 components may not import the package shiki/core',
    ],
    [
      'components/a.tsx',
      "const rust = () => import('shiki/langs/rust.mjs')",
      'components/a.tsx:1 components may not import the package shiki/langs/rust.mjs',
    ],
    [
      'testing/faulty-server.ts',
      "import { createServer } from 'node:http'",
      'testing/faulty-server.ts:1 node:http must be loaded when it is needed, by import()',
    ],
    [
      'testing/faulty-server.ts',
      "const fs = await import('node:fs')",
      'testing/faulty-server.ts:1 node:fs exists in Node only',
    ],
    ['testing/a.ts', "const http = await import('node:http')", 'testing/a.ts:1 node:http exists in Node only'],
    [
      'testing/a.ts',
      "import { createChat } from '../state/chat.ts'",
      'testing/a.ts:1 testing may not import state (../state/chat.ts)',
    ],
    ['wire/a.ts', "import { Buffer } from 'buffer'", 'wire/a.ts:1 buffer exists in Node only'],
    ['state/a.ts', 'export const now = () => Date.now()', 'state/a.ts:1 Date.now must come through a port of base'],
    ['state/a.ts', 'export const now = () => new Date()', 'state/a.ts:1 Date() must come through a port of base'],
    [
      'session/a.ts',
      "export const r = Math['random']()",
      'session/a.ts:1 Math.random must come through a port of base',
    ],
    [
      'session/a.ts',
      'const env = {}\nsetTimeout(env.go, 1)',
      'session/a.ts:2 setTimeout must come through a port of base',
    ],
    [
      'server/a.ts',
      'export const go = (options) => options.fetch ?? fetch',
      'server/a.ts:1 fetch must come through a port of base',
    ],
    ['server/a.ts', 'export const go = globalThis.fetch', 'server/a.ts:1 globalThis must come through a port of base'],
    [
      'protocols/cap/a.ts',
      'export const ask = { window }',
      'protocols/cap/a.ts:1 window must come through a port of base',
    ],
    ['base/a.ts', 'const page = (document as Page)!.title', 'base/a.ts:1 document must come through a port of base'],
    [
      'index.ts',
      "import { b } from './base/b.ts'\nexport { b }",
      'index.ts:1 an entry point holds nothing but export { name } from',
    ],
    ['index.ts', "export * from './base/b.ts'", 'index.ts:1 an entry point holds nothing but export { name } from'],
    ['index.ts', 'export const VERSION = 1', 'index.ts:1 an entry point holds nothing but export { name } from'],
    ['index.ts', "export { useState } from 'react'", 'index.ts:1 entry points may not import the package react'],
    [
      'highlight.ts',
      "export { commonLanguages } from './components/highlight/common-languages.ts'",
      "highlight.ts:1 must start with 'use client'",
    ],
    ['math.ts', "export { createMath } from './components/create-math.tsx'", "math.ts:1 must start with 'use client'"],
    [
      'components/a.tsx',
      'const focused = document.activeElement',
      'components/a.tsx:1 document is of one window: take that of the element (base/node-page.ts)',
    ],
    [
      'markdown/view/a.ts',
      'new ResizeObserver(look)',
      'markdown/view/a.ts:1 ResizeObserver is of one window: take that of the element (base/node-page.ts)',
    ],
    [
      'react/a.ts',
      'if (target instanceof HTMLElement) look()',
      'react/a.ts:1 instanceof HTMLElement fails for what is of another window',
    ],
    ['base/a.ts', '// one more\n'.repeat(601), 'base/a.ts:601 more than 600 lines: two ideas in one file?'],
  ])('in %s is caught: %s', (path, text, fault) => {
    expect(caught(path, text)).toContain(fault)
  })

  it.each<[path: string, text: string]>([
    ['base/ports/clock.ts', 'export const now = () => performance.now()'],
    ['base/a.ts', 'export const parsed = new Date(text)'],
    ['base/a.ts', 'export function ask(fetch: typeof globalThis.fetch) { return fetch(url) }'],
    ['base/a.ts', 'export const open = (port: Port) => port.document + port.fetch()'],
    ['components/a.tsx', "import type { Connection } from '../session/connection.ts'"],
    [
      'testing/faulty-server.ts',
      "import type { Server } from 'node:http'\nconst { createServer } = await import('node:http')",
    ],
    ['math.ts', "'use client'\nexport { createMath } from './components/create-math.tsx'"],
    ['react.ts', "export { useCapChat } from './protocols/cap/hooks/use-cap-chat.ts'"],
    ['components/a.tsx', "if (typeof document === 'undefined' || error instanceof Error) go(element.ownerDocument)"],
    ['base/a.ts', '// one line\n'.repeat(600)],
  ])('is not seen where there is none, in %s: %s', (path, text) => {
    expect(caught(path, text)).toEqual([])
  })

  it('in the words of the repository is caught', () => {
    const host = ['registry', 'example', 'org'].join('.')
    const home = ['', 'root', 'capstan'].join('/')
    const beside = ['..', 'shared', 'cap.md'].join('/')
    const planted: SourceFile[] = [
      { path: 'docs/a.md', text: `one\nsee ${beside}` },
      { path: 'package-lock.json', text: `"https://${host}/a.tgz"` },
      { path: 'test/a.ts', text: `read('${home}')\nread('${beside}')` },
    ]
    expect(machineWords(planted)).toEqual([
      'docs/a.md:2 names a folder beside the repository',
      'package-lock.json:1 names a registry host',
      'test/a.ts:1 names a path of one machine',
    ])
  })
})
