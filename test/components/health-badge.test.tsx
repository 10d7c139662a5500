// @vitest-environment jsdom
import { render } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { HealthStatus } from '../../src/components/health-badge.tsx'
import { HealthBadge } from '../../src/components/health-badge.tsx'
import './show.tsx'

const badgeOf = (parts: React.ReactNode): HTMLElement => {
  const badge = render(parts).container.querySelector<HTMLElement>('.cs-pill')
  if (!badge) throw new Error('There is no badge.')
  return badge
}

describe('the health of an agent', () => {
  it.each<[status: HealthStatus, word: string]>([
    ['ok', 'Operational'],
    ['degraded', 'Degraded'],
    ['maintenance', 'Maintenance'],
    ['unknown', 'Unknown'],
  ])('%s reads %s', (status, word) => {
    const badge = badgeOf(<HealthBadge status={status} />)
    expect(badge.textContent).toBe(word)
    expect(badge.dataset['state']).toBe(status)
  })

  it.each(['healthy', '', 'constructor', 'OK'])('“%s” is not a word CAP knows, so it is unknown', (status) => {
    // What a server sends need not keep to the type.
    const badge = badgeOf(<HealthBadge status={status as HealthStatus} />)
    expect(badge.textContent).toBe('Unknown')
    expect(badge.dataset['state']).toBe('unknown')
  })

  it('says when it was asked, and that this was long ago', () => {
    const checkedAt = Date.UTC(2026, 2, 1, 8, 15)
    const badge = badgeOf(<HealthBadge status="ok" checkedAt={checkedAt} stale />)
    expect(badge.dataset['stale']).toBe('')
    expect(badge.querySelector('time')?.dateTime).toBe('2026-03-01T08:15:00.000Z')
    expect(badge.textContent).toMatch(/^Operational ?Last checked ?\d/)
  })

  it('is not a live region, and leaves the reader’s clock to the browser', () => {
    const html = renderToString(<HealthBadge status="ok" checkedAt={0} />)
    expect(html).toContain('<time class="cs-meta" dateTime="1970-01-01T00:00:00.000Z"></time>')
    expect(html).not.toContain('role=')
  })
})
