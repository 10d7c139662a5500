import type { ReactNode } from 'react'
import type { IconName } from 'capstan/components'
import { Icon } from 'capstan/components'

/** What the frame of the playground needs and capstan has no use for, drawn on the same grid. */
const shapes = {
  capstan: 'M4.75 3.5h10.5v3H4.75zM6.5 6.5c.2 4.2-1 5.4-1.6 9M13.5 6.5c-.2 4.2 1 5.4 1.6 9M3 15.75h14M7.2 10.5h5.6',
  menu: 'M3.5 6.5h13M3.5 10h13M3.5 13.5h13',
  link: 'M3 10h4m6 0h4M7 10a3 3 0 0 1 6 0 3 3 0 0 1-6 0',
  sliders: 'M3.5 6.5h7m4 0h2m-13 7h2m4 0h7M10.5 6.5a2 2 0 0 1 4 0 2 2 0 0 1-4 0M5.5 13.5a2 2 0 0 1 4 0 2 2 0 0 1-4 0',
  sun: 'M7 10a3 3 0 0 1 6 0 3 3 0 0 1-6 0M10 3v1.25M10 15.75V17M3 10h1.25M15.75 10H17M5.05 5.05l.9.9M14.05 14.05l.9.9M14.95 5.05l-.9.9M5.95 14.05l-.9.9',
  moon: 'M16 11.6A6.4 6.4 0 0 1 8.4 4a6.5 6.5 0 1 0 7.6 7.6z',
  screen:
    'M5 4h10a1.75 1.75 0 0 1 1.75 1.75v6A1.75 1.75 0 0 1 15 13.5H5a1.75 1.75 0 0 1-1.75-1.75v-6A1.75 1.75 0 0 1 5 4M7.5 16.5h5',
  search: 'M4 9a5 5 0 0 1 10 0A5 5 0 0 1 4 9m8.75 3.75 3.5 3.5',
  pause: 'M7.25 5v10M12.75 5v10',
  contrast:
    'M3.25 10a6.75 6.75 0 0 1 13.5 0 6.75 6.75 0 0 1-13.5 0M10 3.25v13.5M11.25 4v12M12.5 4.5v11M13.75 5.5v9M15 7v6M16 9v2',
  chart: 'M3.5 16.25h13M5.75 13.5V10M10 13.5V4.5M14.25 13.5V7.75',
  dock: 'M5 4h10a1.75 1.75 0 0 1 1.75 1.75v8.5A1.75 1.75 0 0 1 15 16H5a1.75 1.75 0 0 1-1.75-1.75v-8.5A1.75 1.75 0 0 1 5 4M3.25 11.25h13.5',
  panel:
    'M5 4h10a1.75 1.75 0 0 1 1.75 1.75v8.5A1.75 1.75 0 0 1 15 16H5a1.75 1.75 0 0 1-1.75-1.75v-8.5A1.75 1.75 0 0 1 5 4M12 4v12',
  share:
    'M8.5 11.5a3 3 0 0 0 4.25 0l2.75-2.75a3 3 0 0 0-4.25-4.25L10.25 5.5M11.5 8.5a3 3 0 0 0-4.25 0L4.5 11.25a3 3 0 0 0 4.25 4.25l1-1',
  download: 'M10 3.75v8.5M6.25 8.75 10 12.5l3.75-3.75M4 16.25h12',
  trash:
    'M4 5.75h12M8 5.75V4.5a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v1.25M5.5 5.75l.6 9.1a1.75 1.75 0 0 0 1.75 1.65h4.3a1.75 1.75 0 0 0 1.75-1.65l.6-9.1',
  silence: 'M2.75 10H7M10.25 10h.01M13.5 10h.01M16.75 10h.01M4.9 6.5v7',
}

type OwnName = keyof typeof shapes

export type GlyphName = OwnName | IconName

interface GlyphProps {
  readonly name: GlyphName
  readonly size?: 20 | 16 | 14
}

function isOwn(name: GlyphName): name is OwnName {
  return Object.hasOwn(shapes, name)
}

/** An icon of capstan, or one of the playground's own drawn by capstan's `Icon`. Always decoration. */
export function Glyph({ name, size = 16 }: GlyphProps): ReactNode {
  return isOwn(name) ? (
    <Icon size={size}>
      <path d={shapes[name]} />
    </Icon>
  ) : (
    <Icon name={name} size={size} />
  )
}
