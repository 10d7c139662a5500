import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { UserNotice } from '../src/components/user-notice.tsx'

const meta = {
  title: 'Parts/User notice',
  component: UserNotice,
  args: { message: 'That file is over 10 MB. Send a smaller one and I will carry on.', onRetry: fn() },
} satisfies Meta<typeof UserNotice>

export default meta
type Story = StoryObj<typeof meta>

export const Plain: Story = { name: 'Notice' }

export const Retryable: Story = {
  name: 'Retryable',
  args: { message: 'The survey archive is being updated.', retryable: true, domain: 'tool', code: 'archive_busy' },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await expect(args.onRetry).toHaveBeenCalledOnce()
  },
}

export const Detailed: Story = {
  name: 'Details open',
  args: { code: 413, domain: 'client', details: { limit_bytes: 10_000_000, got_bytes: 12_400_118 } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByText('Details'))
    await expect(canvas.getByText('413 · client')).toBeVisible()
  },
}

export const Narrow: Story = {
  name: '320 px: action below the text',
  parameters: { frame: 'narrow' },
  args: Retryable.args ?? {},
}
