/** What live regions would make a screen reader say, in order. */
export interface Listener {
  readonly heard: readonly string[]
  stop(): void
}

const LIVE_ROLES: Readonly<Record<string, 'polite' | 'assertive'>> = {
  status: 'polite',
  log: 'polite',
  alert: 'assertive',
}
/** Roles that are read as a whole when anything in them changes. */
const ATOMIC_ROLES = new Set(['status', 'alert'])

function regionOf(node: Node): Element | undefined {
  const element = node instanceof Element ? node : node.parentElement
  if (!element || element.closest('[aria-hidden="true"]')) return undefined
  const region = element.closest('[aria-live], [role="status"], [role="log"], [role="alert"]')
  if (!region) return undefined
  const live = region.getAttribute('aria-live') ?? LIVE_ROLES[region.getAttribute('role') ?? '']
  return live === 'polite' || live === 'assertive' ? region : undefined
}

/** The text a screen reader finds in a node: what is hidden from it is left out. */
function readableText(node: Node): string {
  if (node instanceof Element && node.matches('[aria-hidden="true"], details:not([open]) > :not(summary)')) return ''
  if (!(node instanceof Element)) return node.textContent ?? ''
  return [...node.childNodes].map(readableText).join('')
}

/**
 * Listens to every live region in `root` as the rules of ARIA read: the nearest region of a change counts, an
 * explicit `aria-live` before the one of a role, and `aria-live="off"` is silence. Strict on purpose: a status
 * that comes with its text counts as heard, though some screen readers stay silent then.
 */
export function listenToLiveRegions(root: Element): Listener {
  const heard: string[] = []
  const take = (records: readonly MutationRecord[]): void => {
    const news = new Map<Element, string[]>()
    const add = (region: Element, text: string): void => {
      if (text.trim() !== '') news.set(region, [...(news.get(region) ?? []), text])
    }
    for (const { type, target, addedNodes } of records) {
      const changed = type === 'characterData' ? [target] : [...addedNodes]
      const region = regionOf(target)
      for (const node of changed) {
        if (region) add(region, readableText(node))
        else if (node instanceof Element) {
          for (const inner of [node, ...node.querySelectorAll('*')])
            if (regionOf(inner) === inner) add(inner, readableText(inner))
        }
      }
    }
    for (const [region, texts] of news) {
      const atomic = region.getAttribute('aria-atomic') ?? String(ATOMIC_ROLES.has(region.getAttribute('role') ?? ''))
      heard.push(atomic === 'true' ? readableText(region) : texts.join(''))
    }
  }
  const observer = new MutationObserver(take)
  observer.observe(root, { subtree: true, childList: true, characterData: true })
  return {
    get heard() {
      take(observer.takeRecords())
      return heard
    },
    stop: () => observer.disconnect(),
  }
}
