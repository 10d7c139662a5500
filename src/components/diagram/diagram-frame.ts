/**
 * The script in the frame, after mermaid: it draws diagrams received over the port that the page sends once, and reports their size. It
 * does nothing in a document that has an origin, so that nobody can have a diagram drawn with the rights of the page.
 */
export const FRAME_SCRIPT = `(() => {
  if (self.origin !== 'null') return
  const place = document.getElementById('picture')
  let port
  const draw = async ({ id, source, theme }) => {
    const [scheme, ink, quiet, soft, accent, fill, ground] = theme.split(' ')
    const darkMode = scheme === 'dark'
    document.documentElement.style.colorScheme = scheme
    try {
      mermaid.initialize({
        startOnLoad: false,
        securityLevel: 'strict',
        suppressErrorRendering: true,
        htmlLabels: false,
        flowchart: { htmlLabels: false },
        theme: darkMode ? 'dark' : 'default',
        ...(ground && {
          theme: 'base',
          themeVariables: {
            darkMode,
            useGradient: false,
            lineColor: quiet,
            primaryColor: soft,
            primaryBorderColor: accent,
            primaryTextColor: ink,
            secondaryColor: fill,
            tertiaryColor: ground,
            noteBkgColor: fill,
            noteTextColor: ink,
          },
        }),
        fontFamily: 'system-ui, sans-serif',
        secure: ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering', 'htmlLabels', 'theme', 'themeCSS', 'fontFamily', 'dompurifyConfig'],
      })
      const { svg } = await mermaid.render('picture-' + id, source)
      const next = document.createElement('div')
      next.innerHTML = svg
      for (const link of next.querySelectorAll('a')) {
        link.removeAttribute('href')
        link.removeAttributeNS('http://www.w3.org/1999/xlink', 'href')
      }
      place.replaceChildren(...next.childNodes)
      const { width, height } = place.querySelector('svg').viewBox.baseVal
      port.postMessage({ type: 'drawn', id, width, height })
    } catch {
      port.postMessage({ type: 'failed', id })
    }
    document.getElementById('dpicture-' + id)?.remove()
  }
  addEventListener('message', ({ source, ports }) => {
    if (source !== parent || port || !ports[0]) return
    port = ports[0]
    port.onmessage = ({ data }) => void draw(data)
    port.postMessage({ type: self.mermaid ? 'ready' : 'missing' })
  })
  addEventListener('click', (event) => event.preventDefault(), true)
})()`

/** The SHA-256 of the script, by which the policy of the frame knows it. */
export const FRAME_SCRIPT_HASH = 'sha256-kXPXIjKsSCA4MaQCyYEHjMDsDS6RkrvLiCzHapzeKuU='

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
 * policy: only mermaid and one script run in it, and nothing in it reaches the network. Opened alone it does nothing.
 *
 * @param mermaidUrl Where the app serves `dist/mermaid.min.js` of the package `mermaid`: an absolute address, or one relative to the
 * document.
 * @example
 * ```ts
 * import { diagramFrame } from 'capstan/diagram'
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
