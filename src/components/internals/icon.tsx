'use client'

import type { ReactNode, SVGProps } from 'react'
import { classNames, type AttributesOf, type PartAttributes } from './part.ts'

type Attributes = AttributesOf<typeof iconAttributes>

const RING = 'M3.25 10a6.75 6.75 0 0 1 13.5 0 6.75 6.75 0 0 1-13.5 0'

/** Drawn on a 20 unit grid with 1.5 strokes. */
const shapes = {
  alert: 'M10 3.75 17 16H3zM10 8.5v3.25M10 14h.01',
  check: 'm4.5 10.5 3.75 3.75L15.5 6',
  chevron: 'm8 5.5 4.5 4.5L8 14.5',
  clock: `${RING}M10 6.25V10l2.5 1.75`,
  copy: 'M9 7h5.5a2 2 0 0 1 2 2v5.5a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2M13 7V5.5a2 2 0 0 0-2-2H5.5a2 2 0 0 0-2 2V11a2 2 0 0 0 2 2H7',
  cut: 'M2.75 10h4.5M12.75 10h4.5M8.25 14.5l3.5-9',
  down: 'M10 4.5v11M5.5 11l4.5 4.5 4.5-4.5',
  edit: 'M12.5 4.75 15.25 7.5 7.5 15.25l-3.5.75.75-3.5zM11 6.25 13.75 9',
  fatal: 'M7 3.25h6L16.75 7v6L13 16.75H7L3.25 13V7zM10 6.75v4M10 13.4h.01',
  file: 'M6 3.5h5l4 4v7.25a1.75 1.75 0 0 1-1.75 1.75h-7A1.75 1.75 0 0 1 4.5 14.75V5A1.5 1.5 0 0 1 6 3.5M11 3.5v4h4',
  hidden: 'M4 4l12 12M8.3 5.2A7.6 7.6 0 0 1 17 10a9 9 0 0 1-1.9 2.6M12.2 14.6A7.3 7.3 0 0 1 3 10a9.3 9.3 0 0 1 2.6-3.1',
  image:
    'M5.5 4h9a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-9a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M4 13.5l3.5-3.25 3 2.75 2-1.75 3.5 3M12.75 7.5v.01',
  info: `${RING}M10 9.25v4M10 6.6h.01`,
  left: 'M15.5 10h-11M9 5.5 4.5 10 9 14.5',
  lock: 'M6.5 9h7a2 2 0 0 1 2 2v3.5a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2V11a2 2 0 0 1 2-2M7 9V6.75a3 3 0 0 1 6 0V9',
  offline:
    'M4 4l12 12M3.25 8.5a9.6 9.6 0 0 1 3.2-2.05M9.6 5.5a9.6 9.6 0 0 1 7.15 3M6 11.6a5.6 5.6 0 0 1 2.6-1.5M12.9 10.9q.6.3 1.1.75M10 14.75h.01',
  out: 'M8 5H5.5a2 2 0 0 0-2 2v7.5a2 2 0 0 0 2 2H13a2 2 0 0 0 2-2V12M11.5 3.5h5v5M16 4l-6.5 6.5',
  pending: RING,
  play: 'M7 5v10l8-5z',
  plus: 'M10 4.5v11M4.5 10h11',
  puzzle:
    'M8 4.5h-3.25a1 1 0 0 0-1 1V8.5a1.75 1.75 0 1 1 0 3.5v2.75a1 1 0 0 0 1 1H8a1.75 1.75 0 1 1 3.5 0h3a1 1 0 0 0 1-1V5.5a1 1 0 0 0-1-1h-3a1.75 1.75 0 1 0-3.5 0z',
  retry: 'M15.9 8A6.25 6.25 0 1 0 16.25 10M16.25 4v4.25H12',
  right: 'M4.5 10h11M11 5.5l4.5 4.5-4.5 4.5',
  spin: 'M10 3.25A6.75 6.75 0 1 1 3.25 10',
  stop: 'M7.5 6h5A1.5 1.5 0 0 1 14 7.5v5a1.5 1.5 0 0 1-1.5 1.5h-5A1.5 1.5 0 0 1 6 12.5v-5A1.5 1.5 0 0 1 7.5 6',
  'thumb-up':
    'M6.5 9v7.25H4.25a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zl3-5.75A1.75 1.75 0 0 1 11.25 5v3h4a1.5 1.5 0 0 1 1.5 1.75l-.9 5.25a1.5 1.5 0 0 1-1.5 1.25H6.5',
  'thumb-down':
    'M6.5 11v-7.25H4.25a1 1 0 0 0-1 1V10a1 1 0 0 0 1 1zl3 5.75A1.75 1.75 0 0 0 11.25 15v-3h4a1.5 1.5 0 0 0 1.5-1.75l-.9-5.25a1.5 1.5 0 0 0-1.5-1.25H6.5',
  tool: 'M12.2 4.1a3.9 3.9 0 0 0-4.9 5L3.75 12.6a1.9 1.9 0 1 0 2.7 2.7L10 11.8a3.9 3.9 0 0 0 5-4.9l-2.3 2.3-2-.5-.5-2z',
  trash: 'M4 6h12M8 6V4h4v2M5.5 6l.75 10.5h7.5L14.5 6M8.5 9v4.5M11.5 9v4.5',
  up: 'M10 15.5v-11M5.5 9 10 4.5 14.5 9',
  wave: 'M3.5 8.5v3M6.75 6v8M10 8v4M13.25 4.5v11M16.5 8.5v3',
  x: 'm5.5 5.5 9 9M14.5 5.5l-9 9',
}

export type IconName = keyof typeof shapes

/** Shapes that point along the line of text and turn with its direction. */
const TURNING = /left|right|chevron/

export interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'name' | 'ref'> {
  /** One of capstan's shapes. Absent: the children, drawn by you on a grid of 20 units. */
  readonly name?: IconName | undefined
  /** Pixels of its box. @default 16 */
  readonly size?: 20 | 16 | 14
}

/**
 * Renders an `<svg>`: a glyph in the colour of its text. Always decoration: the words next to it carry the meaning.
 *
 * @example
 * ```tsx
 * import { Icon } from 'capstan/components'
 *
 * export function Copy() {
 *   return <button><Icon name="copy" /> Copy</button>
 * }
 * ```
 */
export function Icon({ name, size = 16, className, children, ...rest }: IconProps): ReactNode {
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      aria-hidden="true"
      focusable="false"
      data-size={size satisfies Attributes['data-size']}
      data-name={name satisfies Attributes['data-name']}
      data-turns={(name && TURNING.test(name) ? '' : undefined) satisfies Attributes['data-turns']}
      {...rest}
      className={classNames('cs-icon', className)}
    >
      {name ? (
        <path
          d={shapes[name]}
          fill={name === 'stop' ? 'currentColor' : undefined}
          strokeDasharray={name === 'pending' ? '2.4 2.31' : undefined}
        />
      ) : (
        children
      )}
    </svg>
  )
}

/** The `data-*` attributes of `Icon`. */
export const iconAttributes = {
  root: {
    selector: '.cs-icon',
    attributes: {
      'data-name': { values: 'any', meaning: 'The name of the glyph; absent with a drawing of your own' },
      'data-size': { values: [14, 16, 20], meaning: 'Pixels of its box' },
      'data-turns': { values: 'present', meaning: 'For glyphs that turn with the direction of text' },
    },
  },
} as const satisfies PartAttributes

const ICONS: ReadonlyMap<string | undefined, IconName> = new Map([
  ['image', 'image'],
  ['audio', 'wave'],
  ['video', 'play'],
])

/** The glyph of a file of a MIME type: a picture, sound and film each have their own glyph. */
export function iconOfType(mimeType: string | undefined): IconName {
  return ICONS.get(mimeType?.split('/')[0]) ?? 'file'
}
