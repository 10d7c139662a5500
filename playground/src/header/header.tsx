import type { ReactNode } from 'react'
import { scenarios } from '../../server/scenarios/scenario-list.ts'
import { useBench } from '../bench.ts'
import { Glyph } from '../glyph.tsx'
import { LinePill } from '../line/line-pill.tsx'
import { useStore } from '../store.ts'
import { useNarrow } from '../use-narrow.ts'
import { Endpoint } from './endpoint.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

interface HeaderProps {
  readonly lineShown: boolean
  readonly onRail: () => void
  readonly onLine: () => void
  readonly onSettings: () => void
}

export function Header({ lineShown, onRail, onLine, onSettings }: HeaderProps): ReactNode {
  const { scenario } = useStore(useBench().talk)
  const narrow = useNarrow()
  const lineButton = (
    <button type="button" className="cs-icon-button" aria-label="Line" title="Line" onClick={onLine}>
      <Glyph name="link" size={20} />
    </button>
  )
  if (narrow) {
    return (
      <header className="pg-bar">
        <button type="button" className="cs-icon-button" aria-label="Scenarios" title="Scenarios" onClick={onRail}>
          <Glyph name="menu" size={20} />
        </button>
        <h1 className="pg-title cs-clip">{scenarios.find(({ id }) => id === scenario)?.title ?? 'Playground'}</h1>
        <span className="cs-grow" />
        <LinePill short />
        {lineButton}
      </header>
    )
  }
  return (
    <header className="pg-bar">
      <Glyph name="capstan" size={20} />
      <span className="pg-brand">capstan</span>
      <h1 className="pg-title">Playground</h1>
      <span className="cs-grow" />
      <Endpoint onSettings={onSettings} />
      <span className="cs-grow" />
      {!lineShown && lineButton}
      <ThemeSwitch />
    </header>
  )
}
