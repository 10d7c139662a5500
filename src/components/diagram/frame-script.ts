/**
 * What runs in the frame, behind mermaid: it draws what comes over the port that the page sends once, and says how large it is. It
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
