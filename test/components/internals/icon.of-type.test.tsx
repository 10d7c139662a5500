// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { ArtifactCard } from '../../../src/components/artifact-card.tsx'
import { AttachmentChip } from '../../../src/components/composer/composer-box.tsx'
import { MediaCarousel } from '../../../src/components/media-carousel.tsx'

describe('the glyph of a file', () => {
  it.each([
    ['image/png', 'image'],
    ['audio/ogg', 'wave'],
    ['video/webm; codecs=vp9', 'play'],
    ['application/pdf', 'file'],
    ['constructor', 'file'],
    [undefined, 'file'],
  ])('of type %s is %s, on an artifact, in the row of media and beside a message', (mimeType, glyph) => {
    const { container } = render(
      <>
        <ArtifactCard name="a" mimeType={mimeType} />
        <MediaCarousel items={[{ url: 'https://files.example/a', mimeType: mimeType ?? '' }]} />
        <AttachmentChip name="a" mimeType={mimeType} />
      </>,
    )
    expect([...container.querySelectorAll<SVGElement>(':not(a) > svg')].map((svg) => svg.dataset['name'])).toEqual([
      glyph,
      glyph,
      glyph,
    ])
  })
})
