import { encodeUrl } from './link-parts.ts'
import type { Inline, MarkdownFlavor } from './tree.ts'

const SET =
  '\\p{scx=Hani}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Bopo}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}\\p{scx=Tibt}\\uFE10-\\uFE1F\\uFE30-\\uFE4F\\uFF00-\\uFFEF'

/** Letters of scripts that put no space between words, or none before a particle, and full-width punctuation. */
export const UNSPACED = new RegExp(`[${SET}]`, 'u')

/** A text that ends with one of them. */
export const ENDS_UNSPACED = new RegExp(`[${SET}]$`, 'u')

/** The same at `lastIndex` or behind it. */
const NEXT_UNSPACED = new RegExp(`[${SET}]`, 'gu')

/** Any other letter or digit. */
export const SPACED_LETTER = `(?![${SET}])[\\p{L}\\p{N}]`

const ADDRESS = /<([a-z][a-z\d.+-]{1,31}:[^<> \p{Cc}]*)>/iuy

const MAIL = /<([\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*)>/iy

const HOST = /(?:[^\s\p{P}\p{S}]|[-_.])+/uy

const REST = /[^\s<]*/y

const MAIL_HOST = /[a-z\d_-]*(?:\.[a-z\d][a-z\d_-]*)+/iy

/** Punctuation that may end a sentence behind an address. */
const ENDS = '?!.,:*_~\'"'

/** The same of other scripts, and typographic: an address may hold it, but does not end with it in a chat. */
const CHAT_ENDS = `${ENDS}،؛؟۔।॥։።“”„‘’«»‹›…`

/** What may be before `@` without brackets, one code unit. */
const MAIL_LOCAL = /[\w.+-]/

/** A link and how many code units of the text it takes. */
export interface Autolink {
  readonly length: number
  readonly node: Inline
}

function link(text: string, scheme: string, bare: boolean): Autolink {
  const node: Inline = {
    type: 'link',
    url: encodeUrl(scheme + text),
    children: [{ type: 'text', text }],
    ...(bare && { bare }),
  }
  return { length: text.length, node }
}

/** `<https://…>` or `<somebody@…>` at `at`. */
export function scanPointedAutolink(text: string, at: number): Autolink | undefined {
  for (const [pattern, scheme] of [
    [ADDRESS, ''],
    [MAIL, 'mailto:'],
  ] as const) {
    pattern.lastIndex = at
    const address = pattern.exec(text)?.[1]
    if (address !== undefined) return { ...link(address, scheme, false), length: address.length + 2 }
  }
  return undefined
}

/**
 * `www.…` or `https://…` at `at`, which ends where GitHub ends it; in a chat also before text of a script without spaces, unless that is
 * the name of the host. `host` is where the name of the host begins.
 */
export function scanBareAutolink(all: string, at: number, host: number, flavor: MarkdownFlavor): Autolink | undefined {
  HOST.lastIndex = host
  const whole = HOST.exec(all)?.[0] ?? ''
  const text = flavor === 'chat' ? all.slice(0, endBeforeUnspaced(all, host, host + whole.length)) : all
  const name = text.slice(host, host + whole.length)
  if (!/^[^-_.]/.test(name)) return undefined
  // A long chain of names is a link whatever it holds, so that nobody has to read it again and again.
  const names = name.split('.')
  if (names.length <= 10 && names.slice(-2).join('').includes('_')) return undefined
  REST.lastIndex = host + name.length
  REST.test(text)
  return link(
    text.slice(at, endOfBare(text, at, REST.lastIndex, flavor === 'chat' ? CHAT_ENDS : ENDS)),
    text.startsWith('www', at) ? 'http://' : '',
    true,
  )
}

/** Where the text behind the host, or the host itself unless it begins so, has its first letter of a script without spaces. */
function endBeforeUnspaced(text: string, host: number, endOfHost: number): number {
  NEXT_UNSPACED.lastIndex = UNSPACED.test(String.fromCodePoint(text.codePointAt(host) ?? 0)) ? endOfHost : host
  return NEXT_UNSPACED.exec(text)?.index ?? text.length
}

/** Without the punctuation that belongs to the sentence. */
function endOfBare(text: string, from: number, to: number, ends: string): number {
  let surplus = 0
  for (let at = from; at < to; at++) surplus += text[at] === ')' ? 1 : text[at] === '(' ? -1 : 0
  for (let end = to; end > from; end--) {
    const char = text[end - 1] ?? ''
    if (char === ';') {
      let name = end - 1
      while (/[a-z]/i.test(text[name - 1] ?? '')) name--
      if (text[name - 1] === '&' && name < end - 1) end = name
    } else if (char === ')' ? surplus-- <= 0 : !ends.includes(char)) return end
  }
  return from
}

/** The text with its bare mail addresses as links. */
export function splitMails(text: string): readonly Inline[] {
  const parts: Inline[] = []
  let done = 0
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let from = at
    while (from > done && MAIL_LOCAL.test(text[from - 1] ?? '')) from--
    const scheme = /(?:mailto|xmpp):$/i.exec(text.slice(Math.max(done, from - 7), from))?.[0] ?? ''
    const to = endOfMail(text, at)
    if (from === at || to < 0) continue
    from -= scheme.length
    if (from > done) parts.push({ type: 'text', text: text.slice(done, from) })
    parts.push(link(text.slice(from, to), scheme === '' ? 'mailto:' : '', true).node)
    done = to
  }
  if (done < text.length) parts.push({ type: 'text', text: text.slice(done) })
  return parts
}

function endOfMail(text: string, at: number): number {
  MAIL_HOST.lastIndex = at + 1
  const host = MAIL_HOST.exec(text)?.[0]
  if (host === undefined || !/[a-z]$/i.test(host)) return -1
  const end = at + 1 + host.length
  return text[end] === '@' ? -1 : end
}
