import { hostOf } from '../../base/safe-url.ts'
import type { Inline } from '../tree.ts'

/** What looks like the beginning of an address, and the host behind it. */
const ADDRESS = /(?:https?:\/\/(?:www\.)?|www\.)([^\s/?#:,;()[\]<>'"]+)/gi

/** The host a link leads to where its words name another one, or write it in letters that others look like. */
export function whereItLeads(url: URL, words: string): string | undefined {
  const host = hostOf(url)
  // Without what cannot be seen and keeps an address from being found.
  const names = words.replace(/\p{Cf}/gu, '').matchAll(ADDRESS)
  return [...names].some(([, name = '']) => name.replace(/[.!*_~]+$/, '').toLowerCase() !== host) ? host : undefined
}

/** The words of a stretch of text. */
export function wordsOf(inlines: readonly Inline[]): string {
  return inlines.map((inline) => ('children' in inline ? wordsOf(inline.children) : 'text' in inline ? inline.text : inline.type === 'image' ? inline.alt : ' ')).join('')
}
