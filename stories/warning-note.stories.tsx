import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import type { DictionaryOverrides } from '../src/strings/dictionary.ts'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import { WarningNote } from '../src/components/warning-note.tsx'
import { errorOf } from './support/messages.ts'

const WORDS: DictionaryOverrides = {
  agentErrorMessages: { stale_source: { title: 'Old heights', text: 'They are from before the last flood.' } },
}

const meta = {
  title: 'Parts/Warning note',
  component: WarningNote,
  args: { error: errorOf({ severity: 'WARNING', message: 'Elevation data is from 2019.', agentCode: 'stale_source' }) },
} satisfies Meta<typeof WarningNote>

export default meta
type Story = StoryObj<typeof meta>

export const Inline: Story = { name: 'The stream continues' }

export const Dismissible: Story = {
  name: 'Dismissible',
  args: { onDismiss: fn() },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Dismiss' }))
    await expect(args.onDismiss).toHaveBeenCalledOnce()
  },
}

export const KnownCode: Story = {
  name: 'Custom strings for the code',
  render: (args) => (
    <DictionaryProvider strings={WORDS}>
      <WarningNote {...args} />
    </DictionaryProvider>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('note')).toHaveTextContent('Old heights · They are from before the last flood.')
    await expect(canvas.getByText('stale_source')).not.toBeVisible()
  },
}

export const Long: Story = {
  name: 'Long text',
  parameters: { frame: 'narrow' },
  args: {
    error: errorOf({
      severity: 'WARNING',
      message:
        'Two of the tile servers answered late, so the edges of sheets 14 to 17 were taken from the survey of 2011.',
      agentCode: 'late_tiles',
    }),
    onDismiss: fn(),
  },
}
