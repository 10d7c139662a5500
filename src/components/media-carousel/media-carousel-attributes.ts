import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `MediaCarousel`. */
export const mediaCarouselAttributes = {
  figures: {
    selector: '.cs-media-figure',
    attributes: {
      'data-state': { values: ['asking', 'loading', 'loaded', 'failed'], meaning: 'How far loading is' },
    },
  },
} as const satisfies PartAttributes
