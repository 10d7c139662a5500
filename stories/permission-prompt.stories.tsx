import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { PermissionPrompt } from '../src/components/prompt-body/permission-prompt.tsx'
import { arabicPrompts } from '../src/strings/arabic-pack.ts'
import { chinesePrompts } from '../src/strings/chinese-pack.ts'
import { germanPrompts } from '../src/strings/german-pack.ts'
import { PromptShown } from './support/prompt-stories.tsx'
import { PROMPTS, optionOf } from './support/prompts.ts'

const meta = {
  title: 'Prompts/Permission prompt',
  component: PermissionPrompt,
} satisfies Meta<typeof PermissionPrompt>

export default meta
type Story = Omit<StoryObj<typeof meta>, 'args'>

const { permission: asked } = PROMPTS

export const Asked: Story = { name: 'Permission prompt', render: () => <PromptShown prompt={asked} /> }

export const Lease: Story = {
  name: 'One time that is granted',
  render: () => (
    <PromptShown prompt={{ ...asked, options: asked.options?.filter(({ id }) => id === 'quarter' || id === 'deny') }} />
  ),
}

export const Once: Story = {
  name: 'This one time',
  render: () => (
    <PromptShown prompt={{ ...asked, options: asked.options?.filter(({ id }) => id === 'once' || id === 'deny') }} />
  ),
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('this one time')).toBeVisible()
  },
}

export const Unsaid: Story = {
  name: 'The agent does not say for how long',
  render: () => (
    <PromptShown
      prompt={{
        ...asked,
        options: [
          optionOf('allow-once', 'Allow', { id: 'allow', ttlMs: null }),
          optionOf('reject-once', 'Deny', { id: 'deny' }),
        ],
      }}
    />
  ),
  play: async ({ canvas }) => {
    await expect(await canvas.findByText('not said by the assistant')).toBeVisible()
  },
}

export const Always: Story = {
  name: 'Without an end',
  render: () => <PromptShown prompt={asked} />,
  play: async ({ canvas, userEvent }) => {
    await waitFor(() => expect(canvas.getByRole('region')).toHaveAttribute('data-ready'), { timeout: 3000 })
    await userEvent.selectOptions(canvas.getByRole('combobox', { name: 'Duration' }), 'always')
    await userEvent.click(canvas.getByRole('button', { name: 'Allow…' }))
    await expect(canvas.getByRole('button', { name: 'Back' })).toHaveFocus()
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
