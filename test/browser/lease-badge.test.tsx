import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { JobCard } from '../../src/components/job-card.tsx'
import { LeaseBadge } from '../../src/components/lease-badge.tsx'

const radiusOf = (name: string): string => {
  const badge = page.getByText(name).element().closest('.cs-lease')
  return badge === null ? 'no badge' : getComputedStyle(badge).borderRadius
}

it('has round corners by itself, and none in a list that it fills', async () => {
  await render(
    <>
      <JobCard title="survey" state="running">
        <LeaseBadge name="In a card" />
      </JobCard>
      <ul className="cs-lease-rows">
        <li>
          <LeaseBadge name="In a list" />
        </li>
      </ul>
    </>,
  )
  await expect.element(page.getByText('In a card')).toBeVisible()
  expect(radiusOf('In a card')).toMatch(/^[1-9]/)
  expect(radiusOf('In a list')).toBe('0px')
})
