const LINKS = ['http:', 'https:', 'mailto:', 'tel:']
const MEDIA = ['http:', 'https:']

/** In UTF-16 code units: the longest address that servers accept. */
const LONGEST = 8_192

function parse(text: string, schemes: readonly string[]): URL | undefined {
  let url: URL
  if (text.length > LONGEST) return undefined
  try {
    // No base: an address relative to the host page is never what an agent means.
    url = new URL(text)
  } catch {
    return undefined
  }
  // A name before the host is what people take for the host: `https://bank.example@elsewhere.example`.
  return schemes.includes(url.protocol) && url.username === '' && url.password === '' ? url : undefined
}

/** The address as a link may carry it, or undefined when it is not an absolute http, https, mailto or tel address, names a user before its host or is longer than 8,192 code units. */
export function safeLink(text: string | undefined): URL | undefined {
  return text === undefined ? undefined : parse(text, LINKS)
}

/** The address as an image may load it, or undefined when it is not an absolute http or https address or would not do as a link. */
export function safeMedia(text: string | undefined): URL | undefined {
  return text === undefined ? undefined : parse(text, MEDIA)
}

/**
 * Whether the address contains the media (`data:` or `blob:`), so that no request is needed. Never allowed for a link,
 * where it would open as a page.
 */
export function isInlineMedia(text: string): boolean {
  return /^(?:data:(?:image|audio|video)\/|blob:)/i.test(text)
}

/**
 * The part of an address that is displayed: its host, with the port unless it is the default of the scheme; for mailto
 * and tel the address itself.
 */
export function hostOf(url: URL): string {
  return url.host.replace(/^www\./, '') || url.pathname
}

/** Attributes of every link that leaves the page to an address an agent gave. */
export const LEAVING = { target: '_blank', rel: 'noopener noreferrer nofollow', referrerPolicy: 'no-referrer' } as const
