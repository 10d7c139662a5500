// @vitest-environment jsdom
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { markdownEngine } from '../../../src/components/markdown-block/rich-text-engine.tsx'
import { hasPlaces } from '../../../src/markdown/view/places.tsx'
import { GUIDE } from '../../../stories/support/markdown.ts'

describe('an answer with a hole in it', () => {
  it('shows each mark once, wherever it is, also while half of the text is there', () => {
    const faults: string[] = []
    // Eleven is not a length of anything in it.
    for (let at = 1; at < GUIDE.length; at += 11) {
      for (const end of [at, Math.min(GUIDE.length, at + 40), GUIDE.length]) {
        const html = renderToStaticMarkup(
          <markdownEngine.Text
            text={GUIDE.slice(0, end)}
            gaps={[{ at, after: 1, before: 3 }]}
            live={end < GUIDE.length}
          />,
        )
        if (html.split('cs-gap').length !== 2 || hasPlaces(html)) faults.push(`${at} of ${end}`)
      }
    }
    expect(faults).toEqual([])
  })
})
