import type { ReactNode, RefObject } from 'react'
import { scenarioOf } from '../../server/scenarios/scenario-list.ts'
import { AppearanceMenu } from '../appearance/appearance-menu.tsx'
import { ThemeSwitch } from '../appearance/theme-switch.tsx'
import { useBench } from '../bench.ts'
import { IconButton } from '../button.tsx'
import { Glyph } from '../glyph.tsx'
import { LinePill } from '../line/line-pill.tsx'
import { useStore } from '../store.ts'
import { useNarrow } from '../use-narrow.ts'
import { Endpoint } from './endpoint.tsx'
import { SkipLink } from './skip-link.tsx'

interface HeaderProps {
  /** Where the skip link leads. */
  readonly main: RefObject<HTMLElement | null>
  readonly lineShown: boolean
  readonly onRail: () => void
  readonly onLine: () => void
  readonly onSettings: () => void
}

export function Header({ main, lineShown, onRail, onLine, onSettings }: HeaderProps): ReactNode {
  const { scenario } = useStore(useBench().talk)
  const narrow = useNarrow()
  const lineButton = <IconButton glyph="link" label="Line" onClick={onLine} />
  if (narrow) {
    return (
      <header className="pg-bar">
        <SkipLink target={main} />
        <IconButton glyph="menu" label="Scenarios" onClick={onRail} />
        <h1 className="pg-title pg-clip">{scenarioOf(scenario)?.title ?? 'Playground'}</h1>
        <span className="pg-grow" />
        <LinePill short />
        <AppearanceMenu withTheme />
        {lineButton}
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
      {!lineShown && lineButton}
      <AppearanceMenu />
      <ThemeSwitch />
    </header>
  )
}
