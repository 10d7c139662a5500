import { FRAME_SCRIPT, FRAME_SCRIPT_HASH } from './frame-script.ts'

const STYLE =
  'html, body { margin: 0; background: transparent; overflow: hidden } #picture svg { display: block; margin-inline: auto; inline-size: 100%; block-size: auto } @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important } } @media (forced-colors: active) { #picture { background: light-dark(#fff, #1f2020); forced-color-adjust: none } }'

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

function encodeChar(char: string): string {
  return `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** An address as a policy can name it, without characters that mean something there; a relative one is of the frame's own origin. */
function policySource(url: string): string {
  return /^https?:\/\//i.test(url) ? url.replace(/[?#].*$/s, '').replace(/[^\w\-.~:/%@+=[\]]/g, encodeChar) : "'self'"
}

/**
 * The document of the frame in which a diagram is drawn, for an app that serves it at the `frameUrl` of `createDiagram`. It has its own
 * policy: nothing but mermaid and one script run in it, and nothing in it reaches the network. Opened by itself it does nothing.
 *
 * @param mermaidUrl Where the app serves `dist/mermaid.min.js` of the package `mermaid`: an absolute address, or one relative to the
 * document.
 * @example
 * ```ts
 * import { diagramFrame } from 'capstan/diagram/frame'
 *
 * export const GET = () =>
 *   new Response(diagramFrame('/mermaid.min.js'), {
 *     headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': 'sandbox allow-scripts' },
 *   })
 * ```
 */
export function diagramFrame(mermaidUrl: string): string {
  const policy = `default-src 'none'; script-src ${policySource(mermaidUrl)} '${FRAME_SCRIPT_HASH}'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'`
  return `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}"><meta name="referrer" content="no-referrer"><style>${STYLE}</style></head><body><div id="picture"></div><script src="${escapeHtml(mermaidUrl)}"></script><script>${FRAME_SCRIPT}</script></body></html>`
}
