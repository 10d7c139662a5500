'use client'
import { AgentContext } from './agent-context.ts'

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

/** Where every copy of the package on the page finds the contexts of the others. */
const CONTEXTS = Symbol.for('capstan.agent-contexts')

interface WithContexts {
  [CONTEXTS]?: Set<unknown>
}

/** Development only: remembers that a provider is in use, so that a hook of another copy of the package can say why it finds none. */
export function noteProvider(): void {
  try {
    if (process.env.NODE_ENV === 'development') ((globalThis as WithContexts)[CONTEXTS] ??= new Set()).add(AgentContext)
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
}

/**
 * Why a hook has no client.
 * @param hook its name, or "the hook"
 */
export function missingClient(hook: string): Error {
  try {
    if (process.env.NODE_ENV === 'development') {
      const contexts = (globalThis as WithContexts)[CONTEXTS] ?? []
      if ([...contexts].some((context) => context !== AgentContext)) return new Error(TWO_COPIES)
    }
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
  return new Error(
    `There is no client. Wrap the app in <AgentProvider client={client}>, or pass \`client\` to ${hook}.`,
  )
}

const TWO_COPIES =
  'There is no client, although an <AgentProvider> is on this page: it belongs to another copy of capstan, and React contexts are not shared between copies. Find the copies with "npm ls capstan", keep one version, and let the bundler resolve it once (Vite: resolve.dedupe; webpack: resolve.alias).'
