import type { IconName } from './icon.tsx'

const ICONS: ReadonlyMap<string | undefined, IconName> = new Map([
  ['image', 'image'],
  ['audio', 'wave'],
  ['video', 'play'],
])

/** The glyph of a file of a MIME type: a picture, sound and film each have a glyph of their own. */
export function iconOfType(mimeType: string | undefined): IconName {
  return ICONS.get(mimeType?.split('/')[0]) ?? 'file'
}
