import { safeLink } from '../internals/safe-url.ts'

/** An address to sign in at, or why it cannot be opened. */
export type SignInAddress =
  | {
      readonly url: URL
      /** As it is sent: letters of other scripts are written in ASCII. */
      readonly host: string
      /** Whether the host has letters of other scripts, which may look like those of another host. */
      readonly isForeign: boolean
    }
  | { readonly fault: SignInFault }

/** `missing`: there is no address. `unreadable`: it is none that a page may open. `insecure`: what is typed there could be read on the way. */
export type SignInFault = 'missing' | 'unreadable' | 'insecure'

/** Reads an address that an agent gave. Only https is safe, and http on this device. */
export function readSignInAddress(text: string | undefined): SignInAddress {
  if (text === undefined || text.trim() === '') return { fault: 'missing' }
  const url = safeLink(text)
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) return { fault: 'unreadable' }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { fault: 'insecure' }
  return { url, host: url.host, isForeign: url.hostname.split('.').some((label) => label.startsWith('xn--')) }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)
}
