import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { CitationProvider } from '../src/components/citation-block/citation-provider.tsx'
import { MarkdownBlock, MarkdownProvider } from '../src/components/markdown-block/markdown-block.tsx'
import { ARABIC_GUIDE, GUIDE, GUIDE_END, GUIDE_START, HOSTILE, REMOTE_PICTURE, WIDE_TABLE } from './support/markdown.ts'
import { SOURCES } from './support/messages.ts'

const meta = {
  title: 'Parts/Markdown block',
  component: MarkdownBlock,
  args: {
    content:
      '### Oxbow lake\n\nA loop the river has **left behind**.\n\n1. Two bends grow towards each other.\n2. High water breaks through the neck.',
  },
} satisfies Meta<typeof MarkdownBlock>

export default meta
type Story = StoryObj<typeof meta>

export const Note: Story = {
  name: 'A note',
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('heading', { name: 'Oxbow lake' })).toBeVisible()
    await expect(canvas.getAllByRole('listitem')).toHaveLength(2)
  },
}

export const Everything: Story = {
  name: 'Every element',
  args: { content: GUIDE },
  decorators: [
    (Story) => (
      <CitationProvider citations={SOURCES}>
        <Story />
      </CitationProvider>
    ),
  ],
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('heading').map(({ tagName }) => tagName)).toEqual(['H2', 'H2', 'H3'])
    await expect(canvas.getByRole('region', { name: 'Table' })).toHaveAttribute('tabindex', '0')
    await expect(canvas.getByRole('img', { name: 'Done' })).toBeInTheDocument()
  },
}

export const Pictured: Story = {
  tags: ['picture'],
  name: 'Headings, lists, a table and code',
  args: { content: GUIDE_START },
}

export const PicturedEnd: Story = {
  tags: ['picture'],
  name: 'A quote, tasks, a link, a footnote and a picture',
  args: { content: GUIDE_END },
}

export const EverythingNarrow: Story = {
  name: 'Every element, 320 px wide',
  parameters: { frame: 'narrow' },
  args: { content: GUIDE },
  play: async ({ canvasElement }) => {
    const ground = canvasElement.querySelector('.story-ground')
    await expect(ground?.scrollWidth).toBe(ground?.clientWidth)
  },
}

export const Code: Story = {
  name: 'Code with a copy button',
  args: {
    content:
      '```ts\nconst distance = (width: number): number => width * 12 // from one bend to the next, for brooks and for great rivers alike, whatever their size\n```\n\nIn one line: `distance(74)`.',
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('group', { name: 'ts' })).toContainElement(
      canvas.getByRole('button', { name: 'Copy' }),
    )
  },
}

export const WideTable: Story = {
  name: 'A wide table, 320 px wide',
  parameters: { frame: 'narrow' },
  args: { content: WIDE_TABLE },
  play: async ({ canvas, canvasElement }) => {
    const frame = canvas.getByRole('region', { name: 'Table' })
    await expect(frame.scrollWidth).toBeGreaterThan(frame.clientWidth)
    const ground = canvasElement.querySelector('.story-ground')
    await expect(ground?.scrollWidth).toBe(ground?.clientWidth)
  },
}

export const Tasks: Story = {
  name: 'Tasks',
  args: {
    content:
      'Before you go:\n\n- [x] Boots\n- [ ] The tide table\n  - [ ] for the lower reach\n- [ ] Somebody who knows where you are',
  },
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('img', { name: 'To do' })).toHaveLength(3)
  },
}

export const Footnotes: Story = {
  name: 'Footnotes',
  args: {
    content:
      'A bend has a name[^name] and a size.[^size]\n\n[^name]: From a river in *Anatolia*.\n[^size]: Some ten to fourteen times the width of the stream.',
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Footnote 2' }))
    await waitFor(() => expect(document.activeElement).toHaveTextContent('Some ten to fourteen'))
  },
}

export const Picture: Story = {
  name: 'Image loads on request',
  args: { content: REMOTE_PICTURE },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByRole('button', { name: 'Load image' })).toBeVisible()
    await expect(canvasElement.querySelector('img')).toBeNull()
  },
}

export const Cited: Story = {
  name: 'Citations link to sources',
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
  name: 'Arabic text is aligned by itself',
  args: { content: ARABIC_GUIDE },
}

export const Plain: Story = {
  name: 'Plain text, as it was written',
  args: { content: GUIDE },
  decorators: [
    (Story) => (
      <MarkdownProvider engine="off">
        <Story />
      </MarkdownProvider>
    ),
  ],
  play: async ({ canvasElement }) => {
    await expect(canvasElement.querySelector('h2, table, pre')).toBeNull()
  },
}

export const Hostile: Story = {
  name: 'HTML stays text; unsafe links are disabled',
  args: { content: HOSTILE },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.querySelector('img, script, b')).toBeNull()
    await expect(canvas.getByRole('link')).toHaveTextContent('(thief.example)')
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
