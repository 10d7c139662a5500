import { hostOf } from '../../base/safe-url.ts'

/** In UTF-16 code units. Longer words are not examined: their link always shows its host, so that examining costs a bounded time. */
const LONGEST = 500

/** Characters that are not seen. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const INVISIBLE = /[\u0001-\u0008\u000E-\u001F\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** These turn words around: what is read is not what is written. */
const REVERSED = /[\u202D\u202E]/

/** Characters that look like a dot, beside those that NFKC makes one: two Syriac, one Lisu, one Vai, and the zeros of Arabic. */
const DOTS = /[\u0701\u0702\uA4F8\uA60E\u0660\u06F0]|[。｡](?=[!-~])|(?<=[!-~])[。｡]/g

/** A dot set apart by brackets or blanks, as nobody writes within a sentence, or a dot of any height before an ending that is no English word. */
const APART = /\s*[([]\.[)\]]\s*|\s+\.\s+|\s*[.·•∙⋅‧・]\s*(?=(?:com|org|gov|edu|io|info)(?![\p{L}\p{N}]))/giu

/** Endings of files that nobody can register as an ending of hosts. */
const FILE =
  /^(?:[cm]?[jt]s|[jt]sx|json|html?|xml|s?css|csv|txt|log|ya?ml|toml|lock|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|go|rb|kt|php|cpp|cs|java|swift|sql|exe|gz|vue|env|ipynb)$/i
/** Endings of files that are endings of hosts as well. */
const FILE_OR_HOST = /\.(?:md|py|rs|sh)$/
/** A name in capitals, such as `README.md`, is a file. */
const CAPITALS = /^[A-Z_-]+\.[a-z]+$/

/** What can end a host: letters, at least two. Figures end none, and one letter ends none. */
const ENDING = /[^.@]\.(xn--[\w-]+|\p{L}[\p{L}\p{M}]+)(?![\p{L}\p{M}\p{N}.])/gu
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/
/** Behind a name of which this is a part, an ending of files does not make a file: `bank.com.py`. */
const WITHIN = /\.(?:com?|net|org)\./i

function readsLikeHost(name: string, inFolder: boolean): boolean {
  if (IPV4.test(name)) return true
  if (FILE_OR_HOST.test(name) && (inFolder || CAPITALS.test(name))) return false
  return [...name.matchAll(ENDING)].some(([, ending = '']) => !FILE.test(ending) || WITHIN.test(name))
}

/** Whether words without blanks name a host, an address or a mailbox other than `own`. What follows a host is its path and names nothing. */
function namesAnother(token: string, own: string): boolean {
  const [, explicit, rest = ''] = /^[^\p{L}\p{N}[]*(https?:\/\/)?(.*)$/iu.exec(token) ?? []
  const names = rest.split(/[/\\?#]/).map((name) => name.replace(/[^\p{L}\p{M}\p{N}\]]+$/u, ''))
  for (const [index, name] of names.entries()) {
    const named =
      (index === 0 && (explicit !== undefined || /^www\./i.test(name)) && name !== '') ||
      readsLikeHost(name, index > 0 && names[index - 1] !== '')
    const same = name.toLowerCase().replace(/^mailto:|^www\.|:(?:80|443)$/g, '') === own
    if (named && !same) return true
    if (named) return false
  }
  return false
}

/** The address of a link as it is shown: its host, or every mailbox that a message would go to. */
function shownAddress(url: URL): string {
  const copies =
    url.protocol === 'mailto:'
      ? [...url.searchParams].flatMap(([name, value]) => (/^(?:to|b?cc)$/i.test(name) ? [value] : []))
      : []
  return [hostOf(url), ...copies].join(', ')
}

/**
 * The host a link leads to, where its words could be read as another one: they name a host, an address or a mailbox that is not
 * the link's own, with whatever characters. Undefined where they name none, or exactly the link's own.
 *
 * @param written - The address as the author wrote it. One that hides an IPv4 address (`http://2130706433`) always shows its host.
 */
export function whereItLeads(url: URL, words: string, written = ''): string | undefined {
  const shown = shownAddress(url)
  const own = shown.toLowerCase().replace(/\.$/, '')
  const hidden = IPV4.test(url.hostname) && written !== '' && !written.includes(url.hostname)
  if (hidden || words.length > LONGEST || REVERSED.test(words)) return shown
  const read = words.normalize('NFKC').replace(INVISIBLE, '').replace(DOTS, '.').replace(APART, '.')
  return read.split(/[\s\u2800"'<>(),;|“”„«»]+/).some((token) => namesAnother(token, own)) ? shown : undefined
}
