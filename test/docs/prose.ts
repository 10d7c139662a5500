import type { Page } from './pages.ts'

/** What the sentences of a page are compared with. */
export interface Facts {
  /** Members of each public name, what it takes and what it returns. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>
  /** `capstan/react` and the like. */
  readonly entryPoints: readonly string[]
  /** Every committed file, from the root of the repository. */
  readonly files: readonly string[]
  /** Every word of the sources. */
  readonly words: ReadonlySet<string>
}

/** Names in lower case that the guides use for a value of a public type. */
const VALUES: Readonly<Record<string, string>> = { chat: 'ChatInstance', store: 'ThreadStore' }
/** Where paths of this repository begin; others are paths of an app. */
const FOLDERS =
  /^(?:src|test|docs|scripts|examples|bench|playground|stories|create-capstan|registry|api|\.ci|\.github)\//
/** Made by the build, or a file of an app. */
const ELSEWHERE = new Set(['docs/llms-full.txt', 'App.tsx'])
const PATH = /^[\w.@*{},-]+(?:\/[\w.*{},-]+)*\/?$/
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'.split(' ')
const COUNTED = 'things|ways|kinds|mistakes|rules|conditions|steps|reasons|promises|endings|exceptions|limits'
const FENCE = /^```[\s\S]*?^```$/gm

const proseOf = ({ text }: Page): string => text.replaceAll(FENCE, '')
const codeOf = (prose: string): string[] => [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** Paths in backticks that lead to no file, and entry points that the package does not have. */
export function missingFiles(page: Page, { entryPoints, files }: Facts): string[] {
  return codeOf(proseOf(page))
    .filter(
      (code) =>
        PATH.test(code) && (FOLDERS.test(code) || /^capstan\/|\.(?:tsx?|css)$/.test(code)) && !ELSEWHERE.has(code),
    )
    .flatMap(alternatives)
    .filter((path) => !entryPoints.includes(path) && !files.some((file) => leadsTo(path, file)))
    .map((path) => `${page.path}: there is no ${path}`)
}

/** `a/{b,c}.ts` is `a/b.ts` and `a/c.ts`. */
function alternatives(path: string): string[] {
  const [whole = '', listed = ''] = /\{([^{}]*)\}/.exec(path) ?? []
  return whole === '' ? [path] : listed.split(',').flatMap((each) => alternatives(path.replace(whole, each)))
}

/** A path that begins in no folder of the root may begin in any folder, as `base/ledger.ts` does. */
function leadsTo(path: string, file: string): boolean {
  const pattern = path
    .replace(/\/$/, '')
    .replaceAll(/[.+()[\]]/g, String.raw`\$&`)
    .replaceAll('*', '[^/]*')
  return new RegExp(`${FOLDERS.test(path) ? '^' : '(?:^|/)'}${pattern}(?:/|$)`).test(file)
}

/** Members and properties that a sentence gives to a public name, and that it does not have. */
export function missingMembers(page: Page, { members }: Facts): string[] {
  const prose = proseOf(page)
  const claims: (readonly [owner: string, member: string])[] = [
    // `renderPart` of `Chat`
    ...[...prose.matchAll(/`(\w+)(?:\([^`]*\))?` of `(\w+)`/g)].map(
      ([, member = '', owner = '']) => [owner, member] as const,
    ),
  ]
  for (const code of codeOf(prose)) {
    // <Chat renderPart={…}>
    for (const [, owner = '', attributes = ''] of code.matchAll(/<([A-Z]\w*)\s([^<]*?)\/?>/g))
      for (const [, name = ''] of withoutValues(attributes).matchAll(/([\w-]+)/g)) claims.push([owner, name])
    // chat.answer(), ThreadStore.wipe
    const [, value = '', member = ''] = /^(\w+)\.(\w+)/.exec(code) ?? []
    const owner = VALUES[value] ?? value
    if (/^[A-Z]/.test(owner)) claims.push([owner, member])
    // createAgentHandler({ waitUntil })
    const [, called = '', object = ''] = /^(?:new )?(\w+)\(.*?\{ (.+) \}\)/.exec(code) ?? []
    for (const [, key = ''] of withoutValues(object).matchAll(/(?:^|, )(\w+)/g)) claims.push([called, key])
  }
  return claims
    .filter(([owner, member]) => members.has(owner) && members.get(owner)?.has(member) === false)
    .map(([owner, member]) => `${page.path}: ${owner} has no ${member}`)
}

/** The source of an object or of attributes with its nested values cut out. */
function withoutValues(source: string): string {
  let text = source.replaceAll(/'[^']*'|"[^"]*"/g, '')
  for (let before = ''; before !== text;) {
    before = text
    text = text.replaceAll(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g, '')
  }
  return text.replaceAll(/:[^,]*/g, '')
}

/** Names in the first column of a table of options, props or fields that no public type has. */
export function missingOptions(page: Page, { members }: Facts): string[] {
  const known = new Set([...members.values()].flatMap((names) => [...names]))
  return tablesOf(proseOf(page))
    .filter(([head = '']) => /^\|\s*(?:Component \| )?(?:Option|Prop|Field)s?\s*\|/i.test(head))
    .flatMap(([head = '', , ...rows]) =>
      rows.flatMap((row) => codeOf(row.split('|')[head.startsWith('| Component') ? 2 : 1] ?? '')),
    )
    .flatMap((code) => /^\w+/.exec(code) ?? [])
    .filter((name) => !known.has(name))
    .map((name) => `${page.path}: no public type has ${name}`)
}

/** Compound names in backticks that are in no source; `foreign` are those of other packages and of platforms. */
export function unknownNames(page: Page, { words }: Facts, foreign: ReadonlySet<string>): string[] {
  return codeOf(proseOf(page))
    .flatMap((code) => code.match(/(?<![\w$])[A-Za-z][a-z0-9]+[A-Z]\w*/g) ?? [])
    .filter((name) => !words.has(name) && !foreign.has(name))
    .map((name) => `${page.path}: no source has ${name}`)
}

/** Sentences such as "In five ways:" or "Nine things, …" that are followed by a list or a table of another length. */
export function wrongCounts(page: Page): string[] {
  const blocks = proseOf(page).split(/\n{2,}/)
  return blocks.flatMap((block, at) => {
    const items = itemsIn(blocks[at + 1] ?? '')
    // A sentence with a colon inside of it enumerates by itself.
    const claim = new RegExp(String.raw`\b(${NUMBERS.join('|')}) (?:${COUNTED})\b(?![^.\n]*: )`, 'i').exec(block)
    if (claim === null || items === 0 || block.startsWith('|') || block.startsWith('- ')) return []
    return NUMBERS.indexOf((claim[1] ?? '').toLowerCase()) + 1 === items
      ? []
      : [`${page.path}: "${claim[0]}", and ${items} follow`]
  })
}

function itemsIn(block: string): number {
  const [table = []] = tablesOf(block)
  if (table.length > 0) return table.length - 2
  return block.split('\n').filter((line) => /^(?:- |\d+\. )/.test(line)).length
}

function tablesOf(prose: string): string[][] {
  return [...prose.matchAll(/(?:^\|.*\n?)+/gm)].map(([table]) => table.trim().split('\n'))
}
