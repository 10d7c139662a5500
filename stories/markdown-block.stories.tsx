import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { CitationProvider } from '../src/components/citation-block/citation-provider.tsx'
import { MarkdownBlock } from '../src/components/markdown-block/markdown-block.tsx'
import { SOURCES } from './support/messages.ts'

const meta = {
  title: 'Parts/Markdown block',
  component: MarkdownBlock,
  args: { content: '### Oxbow lake\n\nA loop the river has **left behind**.\n\n1. Two bends grow towards each other.\n2. High water breaks through the neck.' },
} satisfies Meta<typeof MarkdownBlock>

export default meta
type Story = StoryObj<typeof meta>

export const Note: Story = { name: 'A note' }

export const Cited: Story = {
  name: 'Marks lead to sources',
  args: { content: 'A loop the river has left behind.[2] They keep to about ten channel widths.[1, 3]' },
  decorators: [
    (Story) => (
      <CitationProvider citations={SOURCES}>
        <Story />
      </CitationProvider>
    ),
  ],
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('button', { name: /^Source \d: / })).toHaveLength(3)
  },
}

export const RightToLeft: Story = {
  name: 'Arabic text finds its own side',
  args: { content: 'بحيرة هلالية: حلقة تركها النهر خلفه.' },
}

export const Hostile: Story = {
  name: 'HTML stays text',
  args: { content: '<img src="https://example.org/leak.png" onerror="alert(1)"> and a ![picture](https://example.org/leak.png)' },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.querySelector('img')).toBeNull()
  },
}

export const Narrow: Story = {
  name: 'A long word, 320 px wide',
  parameters: { frame: 'narrow' },
  args: { content: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft' },
  play: async ({ canvasElement }) => {
    const ground = canvasElement.querySelector('.story-ground')
    await expect(ground?.scrollWidth).toBe(ground?.clientWidth)
  },
}
