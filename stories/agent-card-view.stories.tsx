import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, fn } from 'storybook/test'
import { AgentCardView } from '../src/components/agent-card-view.tsx'
import { InLanguage } from './support/in-language.tsx'
import { RIVERS } from './support/tasks.ts'

const meta = {
  title: 'Tasks/Agent card',
  component: AgentCardView,
  args: { agent: RIVERS, signature: 'valid', onExample: fn() },
} satisfies Meta<typeof AgentCardView>

export default meta
type Story = StoryObj<typeof meta>

export const Verified: Story = {
  name: 'Signed and verified',
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'How wide is the Loire at Orléans?' }))
    await expect(args.onExample).toHaveBeenCalledWith('How wide is the Loire at Orléans?')
  },
}

export const PartlySigned: Story = {
  name: 'Signed without its sign-in methods',
  args: { signature: 'partly-signed', unsigned: ['securitySchemes', 'securityRequirements'] },
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Not covered by the signature: Sign-in methods')).toBeVisible()
  },
}

export const Invalid: Story = { name: 'With an invalid signature', args: { signature: 'invalid' } }

export const Unverified: Story = { name: 'Signed, not verified', args: { signature: 'unknown-key' } }

export const Unsigned: Story = { name: 'Not signed', args: { signature: 'unsigned' } }

export const RemoteIcon: Story = {
  name: 'An icon from elsewhere is not loaded',
  args: { agent: { ...RIVERS, iconUrl: 'https://icons.example/rivers.png' }, signature: undefined },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.querySelector('img')).toBeNull()
  },
}

export const AllSkills: Story = {
  name: 'All of its skills, and its details',
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Show 2 more skills' }))
    await userEvent.click(canvas.getByText('Technical details'))
    await expect(canvas.getByText(/HTTP\+JSON · 1\.0/)).toBeVisible()
  },
}

export const WordsOnly: Story = {
  name: 'Examples that cannot be taken',
  render: ({ agent }) => <AgentCardView agent={agent} />,
}

export const NameOnly: Story = { name: 'A name and no more', args: { agent: { name: 'Rivers' }, signature: undefined } }

export const Narrow: Story = { name: '320 px', parameters: { frame: 'narrow' } }

export const Hostile: Story = {
  name: 'Hostile words',
  parameters: { frame: 'narrow' },
  args: {
    agent: {
      name: `\u202Eevil ${'x'.repeat(200)}`,
      description: `<img src=x onerror=alert(1)> ${'long '.repeat(200)}`,
      iconUrl: 'javascript:alert(1)',
      documentationUrl: 'javascript:alert(1)',
      provider: { organization: 'Bank', url: 'https://bank.example@elsewhere.example' },
      skills: [{ id: 's', name: 'N'.repeat(200), examples: ['E'.repeat(300)] }],
      securitySchemes: { [`S${'s'.repeat(100)}`]: 5 },
      supportedInterfaces: [{ url: `https://${'u'.repeat(200)}`, protocolBinding: 'B'.repeat(100) }],
    },
    signature: 'invalid',
  },
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('link')).toBeNull()
  },
}

export const German: Story = {
  render: (args) => (
    <InLanguage language="German">
      <AgentCardView {...args} />
    </InLanguage>
  ),
}

export const Chinese: Story = {
  render: (args) => (
    <InLanguage language="Chinese">
      <AgentCardView {...args} />
    </InLanguage>
  ),
}

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: (args) => (
    <InLanguage language="Arabic">
      <AgentCardView {...args} />
    </InLanguage>
  ),
}
