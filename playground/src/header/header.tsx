import type { ReactNode, RefObject } from 'react'
import { pageScenarioOf, protocolOf } from '../../server/scenarios/page-scenario.ts'
import { AppearanceMenu } from '../appearance/appearance-menu.tsx'
import { ThemeSwitch } from '../appearance/theme-switch.tsx'
import { useBench } from '../bench.ts'
import { IconButton } from '../button.tsx'
import { Glyph } from '../glyph.tsx'
import { ConnectionPill } from '../connection/connection-pill.tsx'
import { useStore } from '../store.ts'
import { useNarrow } from '../use-narrow.ts'
import { Endpoint } from './endpoint.tsx'
import { SkipLink } from './skip-link.tsx'

interface HeaderProps {
  /** Where the skip link leads. */
  readonly main: RefObject<HTMLElement | null>
  readonly panelShown: boolean
  readonly onRail: () => void
  readonly onPanel: () => void
  readonly onSettings: () => void
}

export function Header({ main, panelShown, onRail, onPanel, onSettings }: HeaderProps): ReactNode {
  const { scenario } = useStore(useBench().talk)
  const narrow = useNarrow()
  const panelButton = <IconButton glyph="link" label="Connection" onClick={onPanel} />
  if (narrow) {
    return (
      <header className="pg-bar">
        <SkipLink target={main} />
        <IconButton glyph="menu" label="Scenarios" onClick={onRail} />
        <h1 className="pg-title pg-clip">{pageScenarioOf(scenario)?.title ?? 'Playground'}</h1>
        <span className="pg-grow" />
        {protocolOf(scenario) !== 'ARCP' && <ConnectionPill short />}
        <AppearanceMenu withTheme />
        {panelButton}
      </header>
    )
  }
  return (
    <header className="pg-bar">
      <SkipLink target={main} />
      <Glyph name="capstan" size={20} />
      <span className="pg-brand">capstan</span>
      <h1 className="pg-title">Playground</h1>
      <span className="pg-grow" />
      <Endpoint onSettings={onSettings} />
      <span className="pg-grow" />
      {!panelShown && panelButton}
      <AppearanceMenu />
      <ThemeSwitch />
    </header>
  )
}
