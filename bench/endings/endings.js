// The ways an answer can end, as what happens to the first request. Every later one is answered whole.

/**
 * @typedef {object} Ending
 * @property {string} name
 * @property {boolean} [isWhole] the client got every word, and the end of the protocol
 * @property {{ status: number, headers?: Record<string, string>, body: string }} [instead] what is answered in place of a stream
 * @property {'half' | 'inside a frame' | 'nothing'} [until] how much of the stream is sent
 * @property {boolean} [breaks] the connection is reset when the client has shown that much, and not ended
 * @property {'error' | 'malformed'} [adds] a frame after half of the answer: it is the last one, or the rest follows
 * @property {boolean} [crlf] lines end with CR LF
 * @property {boolean} [stops] the user stops after half of the answer
 */

const PAGE = '<!doctype html><title>Sign in</title><p>Please sign in to the network.</p>'
const html = { 'content-type': 'text/html' }

/** @type {readonly Ending[]} */
export const ENDINGS = [
  { name: 'whole', isWhole: true },
  { name: 'whole, framed with CR LF', isWhole: true, crlf: true },
  { name: 'body ends after half', until: 'half' },
  { name: 'body ends inside a frame', until: 'inside a frame' },
  { name: 'body ends before anything', until: 'nothing' },
  { name: 'connection reset after half', until: 'half', breaks: true },
  { name: 'connection reset before the response', instead: { status: 0, body: '' } },
  { name: 'error of the agent after half', adds: 'error' },
  { name: 'a malformed event after half', adds: 'malformed' },
  { name: 'HTTP 500 with a page', instead: { status: 500, headers: html, body: PAGE } },
  { name: 'HTTP 429 with Retry-After', instead: { status: 429, headers: { 'retry-after': '30' }, body: 'Slow down.' } },
  { name: 'HTTP 200 with a page', instead: { status: 200, headers: html, body: PAGE } },
  { name: 'the user stops after half', until: 'half', stops: true },
]
