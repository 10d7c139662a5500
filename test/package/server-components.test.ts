import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { scan } from '../layers/scan.ts'
import { runNode } from './run-node.ts'

// What a server component may import. There React is another one: no context, no effects, no state.

const REACT_SERVER = ['--conditions', 'react-server']

describe('in Node with the React of server components', () => {
  it.each([
    'capstan',
    'capstan/server',
    'capstan/storage',
    'capstan/testing',
    'capstan/locales',
    'capstan/schemas',
    'capstan/fetch-event-source',
  ])('%s can be imported', async (entryPoint) => {
    expect(
      Number(await runNode(`console.log(Object.keys(await import('${entryPoint}')).length)`, REACT_SERVER)),
    ).toBeGreaterThan(0)
  })

  it.each(['markdown/markdown-stream', 'query/query-options'])(
    'so can %s, which is for both sides behind its entry point',
    async (module) => {
      expect(
        Number(await runNode(`console.log(Object.keys(await import('./dist/${module}.js')).length)`, REACT_SERVER)),
      ).toBeGreaterThan(0)
    },
  )

  it('the hooks cannot, which is why they say that they are for pages', async () => {
    await expect(runNode("await import('capstan/react')", REACT_SERVER)).rejects.toThrow('createContext')
  })
})

/** Bundles as a framework does for its server components: what begins with 'use client' becomes a reference by name. */
async function bundleForServerComponents(
  code: string,
): Promise<{ readonly text: string; readonly references: readonly string[] }> {
  const references: string[] = []
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['react-server'],
    external: ['react', 'react-dom'],
    plugins: [
      {
        name: 'client references',
        setup: ({ onLoad }) =>
          onLoad({ filter: /[/\\](dist|@tanstack)[/\\].*\.js$/ }, ({ path }) => {
            const text = readFileSync(path, 'utf8')
            const { directives } = scan(path, text)
            if (directives[0] !== 'use client') return undefined
            references.push(path.slice(ROOT.length))
            const names = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = '']) =>
              list.split(',').map((name) => name.trim().split(' as ').at(-1) ?? ''),
            )
            return {
              contents: names
                .filter(Boolean)
                .map((name) => `export const ${name} = { reference: '${name}' }`)
                .join('\n'),
            }
          }),
      },
    ],
  })
  return { text: outputFiles[0]?.text ?? '', references }
}

describe('in a bundle for server components', () => {
  it.each([
    [
      'capstan/markdown',
      "import { Markdown, parseMarkdown } from './dist/markdown.js'; console.log(JSON.stringify(parseMarkdown('# Rivers')).includes('Rivers'), Markdown.reference)",
      'true Markdown',
    ],
    [
      'capstan/query',
      "import { queryKeys, threadHistoryQueryOptions, useCapHealth } from './dist/query.js'; console.log(threadHistoryQueryOptions({ conversationId: 'c', load: async () => [] }).queryKey.join(), queryKeys.all[0], useCapHealth.reference)",
      'capstan,history,c capstan useCapHealth',
    ],
    [
      'capstan/components',
      "import { Chat, Icon, safeLink } from './dist/components.js'; console.log(Chat.reference, Icon.reference, safeLink('https://a.example/')?.href)",
      'Chat Icon https://a.example/',
    ],
    [
      'capstan/react',
      "import { AgentProvider, useCapChat } from './dist/react.js'; console.log(AgentProvider.reference, useCapChat.reference)",
      'AgentProvider useCapChat',
    ],
  ])('%s runs, and its components and hooks are references', async (_, code, said) => {
    const { text, references } = await bundleForServerComponents(code)
    expect(references.length).toBeGreaterThan(0)
    expect((await runNode(text, REACT_SERVER)).trim()).toBe(said)
  })

  it('capstan/components costs a page the one part that a server component uses', async () => {
    const { text } = await bundleForServerComponents(
      "import { Skeleton } from './dist/components.js'; console.log(Skeleton.reference)",
    )
    expect([...text.matchAll(/reference: "(\w+)"/g)].map(([, name]) => name)).toEqual(['Skeleton'])
  })
})
