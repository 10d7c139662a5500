import type { Inline } from '../tree/tree.ts'

/** The words of a stretch of text. A picture without words is its address, since its host is shown in their place. */
export function inlineText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) =>
      'children' in inline
        ? inlineText(inline.children)
        : 'text' in inline
          ? inline.text
          : inline.type === 'image'
            ? inline.alt || inline.url
            : ' ',
    )
    .join('')
}
