/**
 * The one thing Next.js needs under `require-trusted-types-for 'script'`: its bundles load further ones by writing their
 * address into a script element, as a plain string. This default policy lets through its own files and nothing else.
 */
export const TRUSTED_TYPES = `window.trustedTypes?.createPolicy('default', {
  createScriptURL(address) {
    const { origin, pathname } = new URL(address, location.origin)
    return origin === location.origin && pathname.startsWith('/_next/static/') ? address : null
  },
})`
