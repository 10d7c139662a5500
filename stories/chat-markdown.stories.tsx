import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { Chat } from '../src/components/chat.tsx'
import { defaultStrings } from '../src/strings/dictionary.ts'
import { pause, silence } from '../src/testing/scripted-agent.ts'
import type { Script } from '../src/testing/scripted-agent.ts'
import { expectSaid } from './support/expect-said.ts'
import { GUIDE } from './support/markdown.ts'
import { ScriptedChat } from './support/scripted-chat.tsx'

/** The real client and an agent in memory that writes markdown, a few letters at a time. */
const meta = {
  title: 'Whole chat/Markdown',
  component: Chat,
  parameters: { frame: 'chat' },
  args: { title: 'River desk' },
} satisfies Meta<typeof Chat>

export default meta
type Story = StoryObj<typeof meta>

const ASKED = 'Write me a field guide to river bends.'

/** So much of the guide, in pieces that cut marks and addresses in half. */
const written = (upTo = GUIDE.length): Script => {
  const pieces = GUIDE.slice(0, upTo).match(/[\s\S]{1,6}/g) ?? []
  return pieces.flatMap((piece, at) => (at % 20 === 19 ? [piece, pause(8)] : [piece]))
}

const upTo = (words: string): number => GUIDE.indexOf(words) + words.length

export const Written: Story = {
  name: 'Markdown',
  render: (args) => <ScriptedChat {...args} question={ASKED} script={written()} />,
  play: async ({ canvas, canvasElement }) => {
    await canvas.findByRole('button', { name: defaultStrings.message.regenerate }, { timeout: 10_000 })
    await expectSaid(canvasElement, 'That is all a first walk needs.')
    await expect(canvas.getByRole('table')).toBeInTheDocument()
  },
}

export const NarrowWritten: Story = {
  name: 'Markdown, 320 px',
  parameters: { frame: 'narrow-chat' },
  render: (args) => <ScriptedChat {...args} question={ASKED} script={written()} />,
  play: async ({ canvas, canvasElement }) => {
    await canvas.findByRole('button', { name: defaultStrings.message.regenerate }, { timeout: 10_000 })
    const ground = canvasElement.querySelector('.story-ground')
    await expect(ground?.scrollWidth).toBe(ground?.clientWidth)
  },
}

export const HalfOpen: Story = {
  name: 'Streaming: unclosed emphasis',
  render: (args) => (
    <ScriptedChat {...args} question={ASKED} script={[...written(upTo('the river **tak')), silence()]} />
  ),
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, 'where the river tak')
    await expect(canvasElement).not.toHaveTextContent('**')
  },
}

export const CodeLive: Story = {
  name: 'Streaming: code',
  render: (args) => <ScriptedChat {...args} question={ASKED} script={[...written(upTo('return width')), silence()]} />,
  play: async ({ canvas, canvasElement }) => {
    await expectSaid(canvasElement, 'return width')
    await expect(canvas.getByRole('group', { name: 'js' }).querySelector('.cs-caret')).not.toBeNull()
  },
}

export const TableLive: Story = {
  name: 'Streaming: table',
  render: (args) => <ScriptedChat {...args} question={ASKED} script={[...written(upTo('| 31 m | 9')), silence()]} />,
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('cell', { name: 'Middle reach' }, { timeout: 10_000 })).toBeInTheDocument()
  },
}
