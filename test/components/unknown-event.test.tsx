// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { UnknownEvent } from '../../src/components/unknown-event.tsx'

describe('an event without a part', () => {
  it('is kept unchanged, folded', () => {
    const { container } = render(<UnknownEvent name="MAP_OVERLAY" raw={{ layer: 'reach-14' }} />)
    expect(container.querySelector('details')?.open).toBe(false)
    expect(container.querySelector('summary')?.textContent).toBe('Unsupported contentMAP_OVERLAY')
    expect(container.querySelector('pre')?.textContent).toBe('{\n  "layer": "reach-14"\n}')
  })
})
