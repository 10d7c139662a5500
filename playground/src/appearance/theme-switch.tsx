import type { ReactNode } from 'react'
import { Segments } from '../segments.tsx'
import { useStore } from '../store.ts'
import { appearance, changeAppearance } from './appearance.ts'

const THEMES = [
  { value: 'light', label: 'Light', glyph: 'sun' },
  { value: 'dark', label: 'Dark', glyph: 'moon' },
  { value: 'system', label: 'System', glyph: 'screen' },
] as const

export function ThemeSwitch(): ReactNode {
  const { theme } = useStore(appearance)
  return (
    <Segments
      label="Theme"
      segments={THEMES}
      value={theme}
      onChoose={(chosen) => changeAppearance({ theme: chosen })}
    />
  )
}
