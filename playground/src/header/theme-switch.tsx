import type { ReactNode } from 'react'
import { Glyph } from '../glyph.tsx'
import { useStore } from '../store.ts'
import { chooseTheme, theme } from './theme.ts'

const THEMES = [
  { value: 'light', label: 'Light', glyph: 'sun' },
  { value: 'dark', label: 'Dark', glyph: 'moon' },
  { value: 'system', label: 'System', glyph: 'screen' },
] as const

export function ThemeSwitch(): ReactNode {
  const chosen = useStore(theme)
  return (
    <div className="pg-seg" data-icons="" role="group" aria-label="Theme">
      {THEMES.map(({ value, label, glyph }) => (
        <button key={value} type="button" className="pg-seg-item" aria-label={label} title={label} aria-pressed={chosen === value} onClick={() => chooseTheme(value)}>
          <Glyph name={glyph} />
        </button>
      ))}
    </div>
  )
}
