import type { PageScenarioId } from '../server/scenarios/page-scenario.ts'
import { isPageScenarioId } from '../server/scenarios/page-scenario.ts'

/** What a link names: the docs agent, a scenario, or something nobody knows. */
export type Named = { readonly scenario: PageScenarioId | undefined } | { readonly unknown: string }

/** The link to a scenario on this very page; without one, to the docs agent. */
export function linkTo(scenario: PageScenarioId | undefined): string {
  return `#${scenario ?? ''}`
}

/** Reads the part of an address behind its `#`. */
export function readHash(hash: string): Named {
  const name = decode(hash.replace(/^#/, ''))
  if (name === '') return { scenario: undefined }
  return isPageScenarioId(name) ? { scenario: name } : { unknown: name }
}

/** Whether markdown is wanted: the part behind the `?` says `markdown=off` where it is not. */
export function readMarkdown(search: string): boolean {
  return new URLSearchParams(search).get('markdown') !== 'off'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Where the page is, and being told when the user goes back, forward or elsewhere. */
export interface Address {
  named(): Named
  /** Whether the settings begin with markdown. */
  markdown(): boolean
  /** Shows the scenario in the address bar; the one before stays a step back. */
  show(scenario: PageScenarioId | undefined): void
  /** Calls `listener` when the address was changed by anyone but `show`. */
  follow(listener: () => void): () => void
}

export const pageAddress: Address = {
  named: () => readHash(location.hash),
  markdown: () => readMarkdown(location.search),
  show(scenario) {
    const link = linkTo(scenario)
    if (location.hash !== link && !(link === '#' && location.hash === ''))
      history.pushState(null, '', link === '#' ? `${location.pathname}${location.search}` : link)
  },
  follow(listener) {
    window.addEventListener('popstate', listener)
    return () => window.removeEventListener('popstate', listener)
  },
}
