import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { readTree, ROOT } from '../layers/files.ts'

/** One page of the guides, as people read it. */
export interface Page {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

/** A fenced block of code. */
export interface Snippet {
  readonly page: string
  /** The word behind the fence: `ts`, `tsx`, `js`, … */
  readonly language: string
  readonly code: string
  /** Names the snippet in test reports. */
  readonly name: string
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm

/** README.md, the pages for contributors and coding agents, and everything below docs/. */
export function readPages(): Page[] {
  const guides = readTree('docs/').filter(({ path }) => path.endsWith('.md'))
  return [
    readPage('README.md'),
    readPage('CONTRIBUTING.md'),
    readPage('AGENTS.md'),
    readPage('SKILL.md'),
    ...guides.map(({ path, text }) => ({ path: `docs/${path}`, text })),
  ]
}

export function readPage(path: string): Page {
  return { path, text: readFileSync(ROOT + path, 'utf8') }
}

export function snippetsOf({ path, text }: Page): Snippet[] {
  return [...text.matchAll(FENCE)].map(([, language = '', code = ''], index) => ({
    page: path,
    language,
    code,
    name: `${path} ${index + 1} (${language})`,
  }))
}

/** Where the headings of a page can be linked to. */
export function anchorsOf({ text }: Page): string[] {
  const headings = withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)
  return [...headings].map(([, words = '']) =>
    words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  )
}

/** Files of the pictures on a page, light and dark. */
export function picturesOf({ text }: Page): string[] {
  const named = withoutCode(text).matchAll(/!\[[^\]]*\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)
  return [...named].map(([, target, file]) => target ?? file ?? '')
}

/** Targets of the links in a page that stay in the repository; pictures are not links. */
export function relativeLinksOf({ text }: Page): string[] {
  const links = withoutCode(text).matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)
  return [...links].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/i.test(target))
}

/** What is wrong with a link of a page; undefined when it leads somewhere. */
export function faultOfLink(page: Page, target: string): string | undefined {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? page.path : posix.join(posix.dirname(page.path), file)
  if (!existsSync(ROOT + path)) return `${page.path} links to ${target}, and there is no ${path}`
  if (anchor === undefined || anchorsOf(readPage(path)).includes(anchor)) return undefined
  return `${page.path} links to ${target}, and ${path} has no such heading`
}

/** The cells of every row of the first table under a heading, with their marks. */
export function tableUnder(page: Page, heading: string): string[][] {
  const lines = sectionUnder(page, heading).split('\n')
  const begin = lines.findIndex((line) => line.startsWith('|'))
  const end = lines.findIndex((line, at) => at > begin && !line.startsWith('|'))
  return lines.slice(begin + 2, end).map((row) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  )
}

/** The first cell of every row of the tables under a heading, without its marks. */
export function firstColumn(page: Page, heading: string): string[] {
  const rows = sectionUnder(page, heading)
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) => (row.split('|')[1] ?? '').trim().replaceAll('`', ''))
}

function sectionUnder({ text }: Page, heading: string): string {
  return text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
}

function withoutCode(text: string): string {
  return text.replaceAll(FENCE, '').replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]()]/g, ''))
}
