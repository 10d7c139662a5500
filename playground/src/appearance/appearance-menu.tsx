import type { ReactNode } from 'react'
import { useId } from 'react'
import { IconButton } from '../button.tsx'
import { Segments } from '../segments.tsx'
import { useStore } from '../store.ts'
import { appearance, changeAppearance } from './appearance.ts'
import { isLanguageCode, languages } from './languages.ts'
import { ThemeSwitch } from './theme-switch.tsx'

const CONTRASTS = [
  { value: 'system', label: 'System' },
  { value: 'more', label: 'More' },
] as const
const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

/** Everything capstan can be dressed in, behind one button. `withTheme`: where the header has no space for the switch. */
export function AppearanceMenu({ withTheme = false }: { readonly withTheme?: boolean }): ReactNode {
  const id = useId()
  return (
    <>
      <IconButton glyph="contrast" label="Appearance" popoverTarget={id} />
      <div id={id} className="pg-menu" popover="auto" role="dialog" aria-label="Appearance">
        <AppearanceForm withTheme={withTheme} />
      </div>
    </>
  )
}

function AppearanceForm({ withTheme }: { readonly withTheme: boolean }): ReactNode {
  const { contrast, density, language } = useStore(appearance)
  return (
    <>
      {withTheme && (
        <Row label="Theme">
          <ThemeSwitch />
        </Row>
      )}
      <Row label="Contrast">
        <Segments
          label="Contrast"
          segments={CONTRASTS}
          value={contrast}
          onChoose={(chosen) => changeAppearance({ contrast: chosen })}
        />
      </Row>
      <Row label="Density">
        <Segments
          label="Density"
          segments={DENSITIES}
          value={density}
          onChoose={(chosen) => changeAppearance({ density: chosen })}
        />
      </Row>
      <Row label="Language">
        <select
          className="pg-input"
          aria-label="Language"
          value={language}
          onChange={({ currentTarget: { value } }) => {
            if (isLanguageCode(value)) changeAppearance({ language: value })
          }}
        >
          {Object.entries(languages).map(([code, { name, dir }]) => (
            <option key={code} value={code} lang={code} dir={dir}>
              {name}
            </option>
          ))}
        </select>
      </Row>
    </>
  )
}

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="pg-menu-row">
      <span aria-hidden="true">{label}</span>
      {children}
    </div>
  )
}
