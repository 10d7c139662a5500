/** An element of static markup as React writes it. */
export interface ElementTag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

const TAG = /<(\/?)([a-z][^\s/>]*)((?:\s+[^\s=>"]+(?:="[^"]*")?)*)\s*\/?>/gi

/** What a message's markup holds: its elements, the texts between them and what is inside of what. */
export function readMarkup(html: string): {
  readonly tags: readonly ElementTag[]
  readonly text: string
  readonly nested: readonly string[]
  /** Whether something that begins like a tag is left. */ readonly broken: boolean
} {
  const tags: ElementTag[] = []
  const open: string[] = []
  const nested: string[] = []
  const rest = html.replace(TAG, (whole, slash: string, name: string, written: string) => {
    if (slash !== '') open.splice(open.lastIndexOf(name), 1)
    else {
      if (open.includes('a') || open.includes('button')) nested.push(name)
      if (!/^(?:br|hr|img|input|path|circle|rect|source)$/.test(name) && !whole.endsWith('/>')) open.push(name)
      const attributes = [...written.matchAll(/([^\s=]+)(?:="([^"]*)")?/g)].map(
        ([, key = '', value = '']): [string, string] => [key, unescape(value)],
      )
      tags.push({ name, attributes: Object.fromEntries(attributes) })
    }
    return ''
  })
  return { tags, text: unescape(rest), nested, broken: rest.includes('<') }
}

/** React's own escapes. */
function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

const ELEMENTS = new Set(
  'div p h2 h3 h4 h5 h6 ul ol li blockquote hr pre code table thead tbody tr th td a em strong del br sub sup kbd button span section bdi svg path'.split(
    ' ',
  ),
)

/** Attributes whose values are words of the message. */
const WORDS = new Set(['title', 'aria-label'])

/** Attributes and what may be in them. */
const VALUES: Readonly<Record<string, RegExp>> = {
  href: /^(?:https?:\/\/[^@/]+(?:\/|$)|mailto:|tel:)/,
  target: /^_blank$/,
  rel: /^noopener noreferrer nofollow$/,
  referrerPolicy: /^no-referrer$/,
  referrerpolicy: /^no-referrer$/,
  class: /^(?:cs-[a-z-]+)(?: cs-[a-z-]+)*$/,
  dir: /^(?:auto|ltr|rtl)$/,
  translate: /^no$/,
  tabindex: /^-?[01]?$/i,
  tabIndex: /^-?[01]?$/,
  role: /^(?:region|group|img|list|listitem)$/,
  start: /^\d{1,9}$/,
  scope: /^col$/,
  type: /^button$/,
  'aria-hidden': /^true$/,
  'aria-disabled': /^(?:true|false)$/,
  'data-align': /^(?:left|center|right)$/,
  'data-tight': /^$/,
  'data-html': /^$/,
  'data-text': /^$/,
  'data-task': /^(?:open|done)$/,
  'data-mark': /^\d+$/,
  'data-note': /^\d+$/,
  'data-kind': /^plain$/,
  'data-size': /^(?:small|\d\d)$/,
  'data-name': /^(?:copy|image|check)$/,
  'data-labelled': /^$/,
  'data-grows': /^$/,
  'data-state': /^[a-z]+$/,
  viewBox: /^0 0 20 20$/,
  width: /^\d+$/,
  height: /^\d+$/,
  fill: /^(?:none|currentColor)$/,
  stroke: /^(?:none|currentColor)$/,
  focusable: /^false$/,
}

/** What of a message's markup no view of markdown makes. */
export function forbiddenIn(html: string): readonly string[] {
  const { tags, nested, broken } = readMarkup(html)
  const faults = nested
    .filter((name) => /^(?:a|button|input|select|textarea)$/.test(name))
    .map((name) => `${name} inside of a link or a button`)
  for (const { name, attributes } of tags) {
    if (!ELEMENTS.has(name)) faults.push(`<${name}>`)
    for (const [key, value] of Object.entries(attributes)) {
      if (name === 'path' && key === 'd') continue
      if (!WORDS.has(key) && VALUES[key]?.test(value) !== true) faults.push(`${name} ${key}="${value}"`)
    }
  }
  return broken ? [...faults, 'half a tag'] : faults
}
