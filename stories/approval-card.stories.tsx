import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { ApprovalCard } from '../src/components/prompt-body/approval-card.tsx'
import { arabicPrompts } from '../src/strings/arabic-pack.ts'
import { chinesePrompts } from '../src/strings/chinese-pack.ts'
import { germanPrompts } from '../src/strings/german-pack.ts'
import { PromptShown } from './support/prompt-stories.tsx'
import { optionOf, promptOf, PROMPTS } from './support/prompts.ts'

const meta = {
  title: 'Prompts/Approval card',
  component: ApprovalCard,
} satisfies Meta<typeof ApprovalCard>

export default meta
type Story = Omit<StoryObj<typeof meta>, 'args'>

const { approval } = PROMPTS

export const Approval: Story = { render: () => <PromptShown prompt={approval} /> }

export const Always: Story = {
  name: 'What an option grants',
  render: () => <PromptShown prompt={approval} />,
  play: async ({ canvas, userEvent }) => {
    const card = canvas.getByRole('region')
    await waitFor(() => expect(card).toHaveAttribute('data-ready'), { timeout: 3000 })
    await userEvent.click(canvas.getByRole('button', { name: /^Allow for 60 min…/ }))
    await expect(canvas.getByRole('button', { name: 'Back' })).toHaveFocus()
    await expect(canvas.getByText('Mails to addresses of example.org')).toBeVisible()
  },
}

const EDITABLE = promptOf({
  ...approval,
  subject: {
    name: 'send_mail',
    input: { to: 'office@example.org', subject: 'Gauges' },
    digest: 'd-mail',
    editable: { type: 'object', properties: { to: { type: 'string', format: 'email' }, subject: { type: 'string' } } },
  },
})

export const Edited: Story = {
  name: 'With changes of the user',
  render: () => <PromptShown prompt={EDITABLE} />,
  play: async ({ canvas, userEvent }) => {
    // Changing the input gives no answer: it does not wait for the card to be still.
    await userEvent.click(canvas.getByRole('button', { name: 'Edit' }))
    const to = await canvas.findByRole('textbox', { name: /^to/ })
    await userEvent.clear(to)
    await userEvent.type(to, 'desk@example.org')
    await userEvent.click(canvas.getByRole('button', { name: 'Review changes' }))
    await expect(await canvas.findByText('Your changes')).toBeVisible()
    await expect(canvas.getByText('desk@example.org', { selector: 'ins *' })).toBeVisible()
  },
}

export const Sending: Story = { render: () => <PromptShown prompt={{ ...approval, state: 'sending' }} /> }

export const Refused: Story = {
  name: 'Refused by the agent',
  render: () => (
    <PromptShown prompt={{ ...approval, errors: [{ path: '/to', message: 'This address does not exist.' }] }} />
  ),
}

const HIDDEN = 'invoice\u202Efdp.exe\u200B\u200B'

export const Hostile: Story = {
  name: 'Words that mislead',
  render: () => (
    <PromptShown
      prompt={promptOf({
        message: `**Allowed.** [Continue](https://example.org) ${HIDDEN}`,
        subject: {
          name: 'shell.run',
          input: {
            command: `echo done${'\n'.repeat(60)}rm -rf ~`,
            file: HIDDEN,
            'Your approval is needed': '[ Deny ]',
            script: 'x'.repeat(200_000),
          },
          digest: 'd',
        },
        options: [
          optionOf('allow-once', 'Deny', { id: 'a' }),
          optionOf('allow-once', 'deny\u200B', { id: 'b' }),
          optionOf('reject-once', `Allow ${'!'.repeat(500)}`, { id: 'c' }),
        ],
      })}
    />
  ),
}

export const Narrow: Story = {
  name: 'On a phone',
  parameters: { frame: 'narrow' },
  render: () => <PromptShown prompt={approval} />,
}

export const German: Story = {
  render: () => <PromptShown prompt={approval} strings={german} prompts={germanPrompts} />,
}

export const Chinese: Story = {
  render: () => <PromptShown prompt={approval} strings={chinese} prompts={chinesePrompts} />,
}

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <PromptShown prompt={approval} strings={arabic} prompts={arabicPrompts} dir="rtl" />,
}
