import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { pageScenarioOf } from '../server/scenarios/page-scenario.ts'
import { linkTo } from './address.ts'
import { useBench } from './bench.ts'
import { IconButton } from './button.tsx'
import { Glyph } from './glyph.tsx'
import { useStore } from './store.ts'

const COPIED_MS = 2_000

/** What to look at in the scenario, and the link to it. */
export function About(): ReactNode {
  const { scenario } = useStore(useBench().talk)
  const known = pageScenarioOf(scenario)
  return (
    known &&
    scenario && (
      <aside className="pg-about" aria-label="About this scenario">
        {/* The frame speaks English in pages that run from the right as well. */}
        <p>
          <bdi>{known.see}</bdi>
        </p>
        <CopyLink key={scenario} address={new URL(linkTo(scenario), location.href).href} />
      </aside>
    )
  )
}

function CopyLink({ address }: { readonly address: string }): ReactNode {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | undefined>()
  useEffect(() => {
    if (outcome === undefined) return
    const timer = setTimeout(() => setOutcome(undefined), COPIED_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(address)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  return (
    <>
      <IconButton
        glyph={outcome === 'copied' ? 'check' : 'share'}
        label="Copy link to this scenario"
        size="small"
        onClick={() => void copy()}
      />
      <span className="pg-hidden" role="status">
        {outcome === 'copied'
          ? 'Link copied'
          : outcome === 'failed'
            ? 'Couldn’t copy. Copy the link from the address bar.'
            : ''}
      </span>
    </>
  )
}

/** Something about the page itself that the user should know. */
export function Problem(): ReactNode {
  const { problem } = useBench()
  const text = useStore(problem)
  return (
    text !== undefined && (
      <div className="pg-problem-bar" role="alert">
        <Glyph name="alert" />
        <p>
          <bdi>{text}</bdi>
        </p>
        <IconButton glyph="x" label="Dismiss" size="small" onClick={() => problem.set(undefined)} />
      </div>
    )
  )
}
