import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { FormPrompt } from '../src/components/prompt-body/form-prompt.tsx'
import { arabicPrompts } from '../src/strings/arabic-pack.ts'
import { chinesePrompts } from '../src/strings/chinese-pack.ts'
import { germanPrompts } from '../src/strings/german-pack.ts'
import { PromptShown } from './support/prompt-stories.tsx'
import { PROMPTS } from './support/prompts.ts'

const meta = {
  title: 'Prompts/Form prompt',
  component: FormPrompt,
} satisfies Meta<typeof FormPrompt>

export default meta
type Story = Omit<StoryObj<typeof meta>, 'args'>

const { form: asked } = PROMPTS

export const Asked: Story = {
  name: 'Form prompt',
  render: () => <PromptShown prompt={asked} />,
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('spinbutton', { name: /Gauge 12/ })).toBeVisible()
  },
}

const ERRORS = [{ path: '/gauge27', message: 'No gauge is so wide.' }]

export const Refused: Story = {
  name: 'Refused by the agent',
  render: () => <PromptShown prompt={{ ...asked, initial: { gauge12: 38, gauge27: 9000 }, errors: ERRORS }} />,
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('spinbutton', { name: /Gauge 27/ })).toBeInvalid()
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
