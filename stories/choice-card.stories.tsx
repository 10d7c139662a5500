import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { ChoiceCard } from '../src/components/prompt-body/choice-card.tsx'
import { arabicPrompts } from '../src/strings/arabic-pack.ts'
import { chinesePrompts } from '../src/strings/chinese-pack.ts'
import { germanPrompts } from '../src/strings/german-pack.ts'
import { PromptShown } from './support/prompt-stories.tsx'
import { optionOf, PROMPTS } from './support/prompts.ts'

const meta = {
  title: 'Prompts/Choice card',
  component: ChoiceCard,
} satisfies Meta<typeof ChoiceCard>

export default meta
type Story = Omit<StoryObj<typeof meta>, 'args'>

const { choice: asked } = PROMPTS

export const Asked: Story = { name: 'Choice card', render: () => <PromptShown prompt={asked} /> }

const MANY = Array.from({ length: 70 }, (_, index) =>
  optionOf('neutral', `Gauge ${index + 1}`, index % 3 === 0 ? { description: 'Not read since May' } : {}),
)

export const List: Story = {
  name: 'Many options',
  render: () => <PromptShown prompt={{ ...asked, options: MANY }} />,
  play: async ({ canvas, userEvent }) => {
    const first = canvas.getByRole('radio', { name: /Gauge 1 / })
    await waitFor(() => expect(canvas.getByRole('region')).toHaveAttribute('data-ready'), { timeout: 3000 })
    first.focus()
    await userEvent.keyboard(' {ArrowDown}')
    await expect(canvas.getByRole('radio', { name: 'Gauge 2' })).toBeChecked()
  },
}

export const Twins: Story = {
  name: 'Options that look the same',
  render: () => (
    <PromptShown
      prompt={{ ...asked, options: ['a', 'b', 'c'].map((id) => optionOf('neutral', 'Lower weir', { id })) }}
    />
  ),
}

export const Nothing: Story = { name: 'No options', render: () => <PromptShown prompt={{ ...asked, options: [] }} /> }

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
