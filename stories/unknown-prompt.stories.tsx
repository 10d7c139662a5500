import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { UnknownPrompt } from '../src/components/prompt-body/form-prompt.tsx'
import { arabicPrompts } from '../src/strings/arabic-pack.ts'
import { chinesePrompts } from '../src/strings/chinese-pack.ts'
import { germanPrompts } from '../src/strings/german-pack.ts'
import { PromptShown } from './support/prompt-stories.tsx'
import { PROMPTS } from './support/prompts.ts'

const meta = {
  title: 'Prompts/Unknown prompt',
  component: UnknownPrompt,
} satisfies Meta<typeof UnknownPrompt>

export default meta
type Story = Omit<StoryObj<typeof meta>, 'args'>

const { unknown: asked } = PROMPTS

export const Asked: Story = { name: 'Unknown prompt', render: () => <PromptShown prompt={asked} /> }

export const Opened: Story = {
  name: 'What the assistant sent',
  render: () => <PromptShown prompt={asked} />,
  play: async ({ canvas, userEvent }) => {
    await waitFor(() => expect(canvas.getByRole('region')).toHaveAttribute('data-ready'), { timeout: 3000 })
    await userEvent.click(canvas.getByText('What the assistant sent'))
    await expect(canvas.getByText(/strokes/)).toBeVisible()
  },
}

export const Narrow: Story = {
  name: 'On a phone',
  parameters: { frame: 'narrow' },
  render: () => <PromptShown prompt={asked} />,
}

export const German: Story = { render: () => <PromptShown prompt={asked} strings={german} prompts={germanPrompts} /> }

export const Chinese: Story = {
  render: () => <PromptShown prompt={asked} strings={chinese} prompts={chinesePrompts} />,
}

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <PromptShown prompt={asked} strings={arabic} prompts={arabicPrompts} dir="rtl" />,
}
