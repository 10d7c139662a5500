import { viteFinal } from '@storybook/react-vite/preset'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** What the props table of the catalogue knows of a component. */
export interface ComponentDocs {
  readonly description?: string
  readonly props?: Readonly<Record<string, { readonly description?: string }>>
}

type Docgen = (file: string) => Promise<ReadonlyMap<string, ComponentDocs>>

/** Reads components with the very plugin Storybook builds its props tables with. */
export async function createDocgen(): Promise<Docgen> {
  const settings: Readonly<Record<string, unknown>> = { typescript: { reactDocgen: 'react-docgen' } }
  const presets = { apply: (name: string, fallback: unknown) => Promise.resolve(settings[name] ?? fallback ?? {}) }
  // The preset reads nothing else of Storybook's options.
  const config = await viteFinal?.({ plugins: [] }, { presets } as unknown as Parameters<typeof viteFinal>[1])
  // The preset adds plugins one by one, never a nested or promised list.
  const plugin = (config?.plugins as Plugin[] | undefined)?.find(({ name }) => name === 'storybook:react-docgen-plugin')
  if (typeof plugin?.transform !== 'function') throw new Error('Storybook no longer reads props with react-docgen.')
  const transform = plugin.transform

  return async (file) => {
    // The transform uses nothing of the build it would be part of.
    const result = (await transform.call(
      {} as ThisParameterType<typeof transform>,
      readFileSync(file, 'utf8'),
      file,
    )) as { readonly code: string } | undefined
    const found = new Map<string, ComponentDocs>()
    for (const [, name = '', json = ''] of (result?.code ?? '').matchAll(
      /;(\w+)\.__docgenInfo=(\{.*?\})(?=;\w+\.__docgenInfo=|$)/gs,
    )) {
      // Written by the plugin a line above.
      found.set(name, JSON.parse(json) as ComponentDocs)
    }
    return found
  }
}
