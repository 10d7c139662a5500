// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { TypingIndicator } from '../../src/components/typing-indicator.tsx'

describe('waiting', () => {
  it('for the first word is a picture with a name', () => {
    render(<TypingIndicator />)
    expect(screen.getByRole('img', { name: 'Waiting for a response' })).toBeTruthy()
  })
})
