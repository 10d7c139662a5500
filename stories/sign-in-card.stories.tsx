import type { Meta, StoryObj } from '@storybook/react-vite'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { SignInCard } from '../src/components/prompt-body/sign-in-card.tsx'
import { arabicPrompts } from '../src/strings/arabic-pack.ts'
import { chinesePrompts } from '../src/strings/chinese-pack.ts'
import { germanPrompts } from '../src/strings/german-pack.ts'
import { PromptShown } from './support/prompt-stories.tsx'
import { PROMPTS } from './support/prompts.ts'

const meta = {
  title: 'Prompts/Sign-in card',
  component: SignInCard,
} satisfies Meta<typeof SignInCard>

export default meta
type Story = Omit<StoryObj<typeof meta>, 'args'>

const { signIn: asked } = PROMPTS

export const Asked: Story = { name: 'Sign-in card', render: () => <PromptShown prompt={asked} /> }

export const Foreign: Story = {
  name: 'A host that looks like another',
  render: () => <PromptShown prompt={{ ...asked, url: 'https://b\u0430nk.example/login' }} />,
}

export const Insecure: Story = {
  name: 'An address that is not secure',
  render: () => <PromptShown prompt={{ ...asked, url: 'http://survey.example/login' }} />,
}

export const Unreadable: Story = {
  name: 'No address of a page',
  render: () => <PromptShown prompt={{ ...asked, url: 'javascript:alert(1)' }} />,
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
