// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { UnknownPrompt } from '../../../src/components/prompt-body/form-prompt.tsx'
import type { Prompt } from '../../../src/seam/prompt.ts'
import '../show.tsx'
import { createFakeControls, optionOf, PROMPTS } from './fake-controls.ts'

function show(prompt: Prompt): string {
  const { used: _used, ...props } = createFakeControls(prompt)
  return render(<UnknownPrompt {...props} decline={<button>Decline</button>} />).container.textContent ?? ''
}

describe('a prompt of a kind that is not known', () => {
  it('can only be declined, whatever options it has', () => {
    show({ ...PROMPTS.unknown, options: [optionOf('allow-once', 'Allow')] })
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Decline'])
    expect(screen.getByText(/You can only decline it/)).toBeTruthy()
  })

  it('shows the schema as JSON', () => {
    expect(show(PROMPTS.unknown)).toContain('"strokes": {\n    "maximum": 12\n  }')
    expect(document.querySelector('details')?.open).toBe(false)
  })

  it('without a schema shows what else it says', () => {
    const { schema: _schema, ...prompt } = PROMPTS.unknown
    expect(show({ ...prompt, url: 'javascript:alert(1)' })).toContain('"url": "javascript:alert(1)"')
    expect(screen.queryByRole('link')).toBeNull()
  })

  it('shows the beginning of a schema of ten megabytes and a thousand levels', () => {
    let schema: Record<string, unknown> = { description: 'x'.repeat(10_000_000) }
    for (let level = 0; level < 1000; level++) schema = { properties: schema, oneOf: [{}] }
    expect(show({ ...PROMPTS.unknown, schema }).length).toBeLessThan(5000)
    expect(screen.getByText(/Not everything is shown/)).toBeTruthy()
  })
})
