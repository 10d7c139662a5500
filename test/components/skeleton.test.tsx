// @vitest-environment jsdom
import { render, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { Skeleton } from '../../src/components/skeleton.tsx'
import { pass } from './show.tsx'

describe('waiting', () => {
  it('for a conversation is unseen for a moment, then announced once and drawn for eyes only', () => {
    vi.useFakeTimers()
    try {
      render(<Skeleton turns={2} />)
      const status = screen.getByRole('status')
      pass(299)
      expect(status.innerHTML).toBe('')
      pass(1)
      expect(status.textContent).toBe('Loading the conversation')
      expect([...status.querySelectorAll('.cs-bone')].every((bone) => bone.closest('[aria-hidden="true"]'))).toBe(true)
      expect(status.querySelectorAll('[aria-hidden="true"]')).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })
})
