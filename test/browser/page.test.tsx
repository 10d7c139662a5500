import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../../src/styles.css'
import { Icon } from '../../src/components/icon/icon.tsx'

it('shows', async () => {
  await render(<Icon name="up" data-testid="x" />)
  await expect.element(page.getByTestId('x')).toBeInTheDocument()
})
