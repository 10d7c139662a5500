import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { expect, waitFor, within } from 'storybook/test'
import { englishPrompts } from '../src/strings/prompts.ts'
import { PromptDock } from '../src/components/prompt-dock.tsx'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import type { Agent } from '../src/server/run/agent.ts'
import { askingAgent } from './support/asking-agent.ts'
import { ScriptedChat } from './support/scripted-chat.tsx'

/**
 * The prompts of a chat, above its composer. Each story runs the real client against the real server, in one page: what you answer
 * here is what the agent gets.
 */
const meta = {
  title: 'Prompt dock',
  component: PromptDock,
  parameters: { frame: 'chat' },
} satisfies Meta<typeof PromptDock>

export default meta
type Story = StoryObj<typeof meta>

const QUESTION = 'Tell Ann that the gauge is dry.'
const CARD = englishPrompts.card.headings.approval

const mailer: Agent = async function* (_request, run) {
  yield 'I have written a mail to Ann. '
  const answer = await run.ask({
    kind: 'approval',
    message: 'Send this mail?',
    subject: { name: 'send_mail', input: { to: 'ann@rivers.example', text: 'The gauge at the bridge is dry.' } },
    expiresInMs: 10 * 60_000,
  })
  yield answer.type === 'allowed' ? 'It is sent.' : 'I have not sent it.'
}

const asksTwice: Agent = async function* (_request, run) {
  yield 'Two gauges have the same name. '
  await Promise.all([
    run.ask({
      kind: 'choice',
      message: 'Which gauge do you mean?',
      options: [
        { id: 'upper', label: 'Upper weir', kind: 'neutral' },
        { id: 'lower', label: 'Lower weir', kind: 'neutral' },
      ],
    }),
    run.ask({ kind: 'approval', message: 'May I read its log?', subject: { name: 'read_log', input: { days: 30 } } }),
  ])
  yield 'Thank you.'
}

const chat = (agent: Agent) => (): ReactElement => (
  <ScriptedChat title="River desk" fetch={askingAgent(agent)} question={QUESTION} />
)

export const Approval: Story = {
  render: chat(mailer),
  play: async ({ canvas }) => {
    const card = await canvas.findByRole('region', { name: CARD })
    await expect(card).toBeVisible()
    await expect(within(card).getByText(englishPrompts.card.headings.approval)).toBeVisible()
  },
}

export const Answered: Story = {
  render: chat(mailer),
  play: async ({ canvas, userEvent }) => {
    const card = await canvas.findByRole('region', { name: CARD })
    await waitFor(() => expect(card).toHaveAttribute('data-ready'), { timeout: 3000 })
    await userEvent.click(await canvas.findByRole('button', { name: 'Allow once' }))
    await canvas.findByText('You allowed send_mail once')
    await expect(canvas.queryByRole('region', { name: CARD })).toBeNull()
  },
}

export const Several: Story = {
  name: 'Several prompts',
  render: chat(asksTwice),
  play: async ({ canvas }) => {
    await canvas.findByText('1 of 2')
  },
}

export const German: Story = {
  render: () => <ScriptedChat title="Pegel" fetch={askingAgent(mailer)} question={QUESTION} strings={german} />,
  play: async ({ canvas }) => {
    await canvas.findByRole('region', { name: 'Deine Zustimmung ist nötig' })
  },
}

export const Chinese: Story = {
  render: () => <ScriptedChat title="水位" fetch={askingAgent(mailer)} question={QUESTION} strings={chinese} />,
  play: async ({ canvas }) => {
    await canvas.findByRole('region', { name: '需要你的批准' })
  },
}

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <ScriptedChat title="الأنهار" fetch={askingAgent(mailer)} question={QUESTION} strings={arabic} />,
  play: async ({ canvas }) => {
    await canvas.findByRole('region', { name: 'مطلوب موافقتك' })
  },
}
