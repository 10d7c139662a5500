import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readManifest, ROOT } from '../layers/files.ts'
import { anchorsOf, faultOfLink, firstColumn, picturesOf, readPage, readPages, relativeLinksOf } from './pages.ts'

const pages = readPages()
const readme = readPage('README.md')
const INDEX = 'docs/README.md'

function source(path: string): string {
  return readFileSync(`${ROOT}src/${path}`, 'utf8')
}

/** The names of the fields of an interface, as its source spells them. */
function fieldsOf(path: string, name: string): string[] {
  const [, body = ''] = new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(source(path)) ?? []
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, field = '']) => field)
}

/** The words of a union of string literals. */
function wordsOf(path: string, name: string): string[] {
  const [, body = ''] = new RegExp(`type ${name} =([\\s\\S]*?)(?:\\n\\n|\\n/\\*\\*|$)`).exec(source(path)) ?? []
  return [...body.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word)
}

describe('the guides', () => {
  it('are linked to one another without a dead end', () => {
    const faults = pages.flatMap((page) => relativeLinksOf(page).flatMap((target) => faultOfLink(page, target) ?? []))
    expect(faults, 'A heading that changes takes its links along: mend each link, or the heading.').toEqual([])
  })

  it('show pictures that are there, and every picture there is', () => {
    const shown = new Set(
      pages.flatMap((page) => picturesOf(page).map((file) => posix.join(posix.dirname(page.path), file))),
    )
    expect(
      [...shown].filter((file) => !existsSync(ROOT + file)),
      '`npm run screenshots` takes the pictures.',
    ).toEqual([])
    expect(
      readdirSync(`${ROOT}docs/images`).filter((file) => !shown.has(`docs/images/${file}`)),
      'Show the picture on a page, or remove it.',
    ).toEqual([])
  })

  it('can all be reached from docs/README.md, and that from the README', () => {
    expect(relativeLinksOf(readme)).toContain(INDEX)
    const linked = relativeLinksOf(readPage(INDEX)).map((target) => posix.join('docs', target))
    const guides = pages.map(({ path }) => path).filter((path) => /^docs\/(?:internals\/)?[\w-]+\.md$/.test(path))
    expect(
      guides.filter((path) => path !== INDEX && !linked.includes(path)),
      'Add each page to docs/README.md, then run `npm run docs:index`.',
    ).toEqual([])
  })

  it('never use one heading twice on a page, so that every section has its own address', () => {
    const doubles = pages.flatMap((page) =>
      anchorsOf(page).filter((anchor, index, all) => all.indexOf(anchor) !== index),
    )
    expect(doubles, 'Give each section a heading of its own.').toEqual([])
  })

  it('notice a link to a page or heading that is not there', () => {
    expect(faultOfLink(readme, 'docs/nowhere.md')).toContain('no docs/nowhere.md')
    expect(faultOfLink(readme, 'docs/errors.md#nothing-of-the-kind')).toContain('no such heading')
    expect(faultOfLink(readme, 'docs/errors.md#what-is-an-agenterror')).toBeUndefined()
  })
})

describe('the README', () => {
  it('names the two commands', () => {
    expect(readme.text).toContain('npm ci && npm run dev')
    expect(readme.text).toContain('npm ci && npm test')
  })

  it('has one sentence, a picture, the installation, ten lines of code and the commands, in this order', () => {
    const [first = '', chat = '', run = '', table = ''] = readme.text.split('\n## ')
    expect(first).toMatch(/^# capstan\n\n[^\n]+\n\n<picture>[\s\S]+<\/picture>\n\n```sh\nnpm install capstan\n```\n/)
    expect(chat).toMatch(/^A chat in ten lines\n\nThe page:\n\n```tsx\n(?:.*\n){10}```\n/)
    expect(run).toContain('npm ci && npm run dev')
    expect(run).toContain('npm ci && npm test')
    expect(table).toMatch(/^What does your backend speak\?\n/)
  })

  it('has at most 15 links, and needs no name of a protocol before the table of backends', () => {
    expect(relativeLinksOf(readme).length, 'Link further pages from docs/README.md.').toBeLessThanOrEqual(15)
    const [before = ''] = readme.text.split('## What does your backend speak?')
    expect(before).not.toMatch(/\bCAP\b|\bA2A\b|\bARCP\b|AG-UI/)
  })
})

describe('what the guides list', () => {
  it('is exactly the entry points of the package', () => {
    const entries = Object.keys(readManifest().exports).map((name) => posix.join('capstan', name))
    const listed = firstColumn(readPage('docs/getting-started.md'), 'Which entry points does the package have?')
    expect(listed.toSorted(), 'One row for each of the exports of package.json in docs/getting-started.md.').toEqual(
      entries.toSorted(),
    )
  })

  it('is every option of CapClient, and no other', () => {
    const options = [
      ...fieldsOf('protocols/cap/client/cap-client.ts', 'CapClientOptions'),
      ...fieldsOf('session/iterate-run.ts', 'RunLog'),
      ...fieldsOf('protocols/cap/endpoint.ts', 'OlderServerOptions'),
      ...fieldsOf('protocols/cap/endpoint.ts', 'CapEndpointOptions'),
    ]
    const listed = firstColumn(readPage('docs/client.md'), 'Which options does CapClient take?')
    expect(options).toContain('baseUrl')
    expect(listed.toSorted(), 'One row for each option in docs/client.md.').toEqual(options.toSorted())
  })

  it.each([
    ['error code', 'base/agent-error.ts', 'ErrorCode', 'docs/errors.md', 'network_error'],
    ['phase of a connection', 'session/connection.ts', 'Phase', 'docs/reconnection.md', 'waiting'],
    ['status of a message', 'state/turn.ts', 'MessageStatus', 'docs/hooks.md', 'not-sent'],
    ['status of a chat', 'state/chat-snapshot.ts', 'ChatStatus', 'docs/hooks.md', 'submitted'],
  ])('has every %s', (_, path, name, page, example) => {
    const words = wordsOf(path, name)
    expect(words).toContain(example)
    const { text } = readPage(page)
    expect(
      words.filter((word) => !text.includes(`\`${word}\``)),
      `Each of them needs a row in ${page}.`,
    ).toEqual([])
  })

  it('has every action of a chat', () => {
    const [, body = ''] = /interface ChatActions \{\n([\s\S]*?)^\}/m.exec(source('state/chat-options.ts')) ?? []
    const actions = [...body.matchAll(/^ {2}(\w+)\(/gm)].map(([, action = '']) => action)
    expect(actions).toContain('sendMessage')
    const { text } = readPage('docs/hooks.md')
    expect(
      actions.filter((action) => !text.includes(`\`${action}\``)),
      'Each of them needs a row in docs/hooks.md.',
    ).toEqual([])
  })

  it('has every component', () => {
    const exported = [...source('components.ts').matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim()),
    )
    const components = exported.filter((name) => /^[A-Z]/.test(name))
    expect(components).toContain('MessageList')
    const { text } = readPage('docs/components.md')
    expect(
      components.filter((name) => !text.includes(name)),
      'Each of them needs its place in docs/components.md.',
    ).toEqual([])
  })
})
