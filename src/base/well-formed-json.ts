/** JSON writes half of a character as an escape like this one. Of any other escape the first two characters are taken, so that none is cut. */
const ESCAPE = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g

/**
 * JSON for the network: half of a character, which a text that was cut may end with, becomes U+FFFD. Readers that hold text
 * to Unicode, such as the reference models, refuse the whole document for the escape that `JSON.stringify` writes.
 */
export function stringifyWellFormed(value: unknown): string {
  const json = JSON.stringify(value)
  return json.includes('\\ud') ? json.replace(ESCAPE, (escape) => (escape.length > 2 ? '\ufffd' : escape)) : json
}
