// @vitest-environment jsdom
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { render, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AssistantChat } from '../../registry/items/assistant-chat.tsx'
import { AssistantPrompts } from '../../registry/items/assistant-prompts.tsx'
import { AssistantThreads } from '../../registry/items/assistant-threads.tsx'
import { readManifest, ROOT } from '../layers/files.ts'

const TYPES = ['lib', 'block', 'component', 'ui', 'hook', 'theme', 'page', 'file', 'style', 'item'] as const
const type = z.enum(TYPES.map((name) => `registry:${name}` as const))
/** What https://ui.shadcn.com/schema/registry-item.json asks for, of the fields that are used here; no other one may be there. */
const item = z.strictObject({
  $schema: z.literal('https://ui.shadcn.com/schema/registry-item.json'),
  name: z.string().regex(/^[a-z-]+$/),
  type,
  title: z.string(),
  description: z.string(),
  dependencies: z.array(z.string()),
  css: z
    .record(z.string().regex(/^@import "capstan\/[\w-]+\.css" layer\(components\)$/), z.strictObject({}))
    .optional(),
  files: z
    .array(
      z
        .strictObject({ path: z.string(), type, target: z.string().optional(), content: z.string() })
        // Only these two do not say by their type where they go.
        .refine((file) => file.target !== undefined || !['registry:page', 'registry:file'].includes(file.type)),
    )
    .min(1),
})

const names = readdirSync(`${ROOT}registry`).filter((name) => name.endsWith('.json') && name !== 'items.json')
const read = (name: string): z.infer<typeof item> =>
  item.parse(JSON.parse(readFileSync(`${ROOT}registry/${name}`, 'utf8')))

describe('the registry', () => {
  it('is what `npm run registry` makes of its items', () => {
    const made: unknown = JSON.parse(
      execFileSync(process.execPath, ['scripts/write-registry.js', '--print'], { cwd: ROOT, encoding: 'utf8' }),
    )
    expect(
      Object.fromEntries(names.map((name) => [name, readFileSync(`${ROOT}registry/${name}`, 'utf8')])),
      'Run `npm run registry` and commit what it writes.',
    ).toEqual(made)
  })

  it('has every source in an item, and type-checks it as one of ours', () => {
    const paths = names.flatMap((name) => read(name).files.map(({ path }) => path))
    expect(paths.toSorted()).toEqual(
      readdirSync(`${ROOT}registry/items`)
        .map((name) => `registry/items/${name}`)
        .toSorted(),
    )
    expect(readFileSync(`${ROOT}tsconfig.json`, 'utf8')).toContain('"registry/items"')
  })
})

describe.each(names)('registry/%s', (name) => {
  it('fits the schema of shadcn, and installs what its code and sheets import', () => {
    const { dependencies, files, css = {} } = read(name)
    expect(dependencies).toEqual(['capstan'])
    const imported = files.flatMap(({ content }) =>
      [...content.matchAll(/ from '([^']+)'/g)].map(([, from = '']) => from),
    )
    expect(imported.filter((from) => !/^(react|capstan(\/[\w/-]+)?)$/.test(from))).toEqual([])
    const sheets = Object.keys(css).map((rule) => /"(.+)"/.exec(rule)?.[1] ?? rule)
    const exported = Object.keys(readManifest().exports).map((path) => path.replace('.', 'capstan'))
    expect(
      [...imported.filter((from) => from !== 'react'), ...sheets].filter((path) => !exported.includes(path)),
    ).toEqual([])
  })
})

/** A busy machine is not a failure. */
const PATIENT = { timeout: 20_000 }

describe('a block of the registry', () => {
  it.each<[string, ComponentType, string, string]>([
    ['AssistantChat', AssistantChat, 'button', 'What can you do?'],
    ['AssistantThreads', AssistantThreads, 'button', 'New conversation'],
    ['AssistantPrompts', AssistantPrompts, 'heading', 'Waiting for you'],
  ])('%s shows a composer, and what it is for', async (_name, Block, role, name) => {
    render(<Block />)
    expect(await screen.findByRole('textbox', { name: 'Message' }, PATIENT)).toBeTruthy()
    expect(await screen.findByRole(role, { name }, PATIENT)).toBeTruthy()
  })
})
