import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { EmptyState } from '../../src/components/empty-state.tsx'

it.each(['ltr', 'rtl'])('text of suggestions begins where the question above them does, %s', async (dir) => {
  const { container } = await render(
    <div dir={dir}>
      <EmptyState title="What about rivers?" suggestions={['Why do rivers meander?', 'What is an oxbow?']} />
    </div>,
  )
  const starts = [...container.querySelectorAll('bdi')].map((text) => {
    const { left, right } = text.getBoundingClientRect()
    return dir === 'rtl' ? right : left
  })
  expect(starts).toHaveLength(3)
  expect(new Set(starts).size).toBe(1)
})
