import type { Meta, StoryObj } from '@storybook/react-vite'
import mermaidUrl from 'mermaid/dist/mermaid.min.js?url'
import { expect, userEvent, waitFor } from 'storybook/test'
import { createDiagram } from '../src/components/create-diagram.tsx'
import { DictionaryProvider } from '../src/components/dictionary/dictionary-context.tsx'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { MarkdownBlock, MarkdownProvider } from '../src/components/markdown-block/markdown-block.tsx'
import { Growing } from './support/growing.tsx'
import '../src/diagrams.css'

const RENDERERS = { code: createDiagram({ mermaidUrl }) }

const RIVER =
  '```mermaid\nflowchart TD\n  Spring --> Brook\n  Brook --> River\n  River -->|flood| Plain[Flood plain]\n  Plain --> River\n  River --> Sea\n```'
const SEQUENCE =
  '```mermaid\nsequenceDiagram\n  participant G as Gauge\n  participant S as Station\n  G->>S: level 3.4 m\n  S-->>G: noted\n```'
const INVALID = '```mermaid\nflowchart TD\n  Spring --> {{{\n```'

const meta = {
  title: 'Parts/Diagrams',
  component: MarkdownBlock,
  args: { content: `How water gets to the sea:\n\n${RIVER}\n\nAnd how a level is told:\n\n${SEQUENCE}` },
  decorators: [
    (Story) => (
      <MarkdownProvider renderers={RENDERERS}>
        <Story />
      </MarkdownProvider>
    ),
  ],
} satisfies Meta<typeof MarkdownBlock>

export default meta
type Story = StoryObj<typeof meta>

async function isDrawn(canvasElement: HTMLElement, count = 1, state = 'complete'): Promise<void> {
  await waitFor(
    () => expect(canvasElement.querySelectorAll(`.cs-diagram[data-state='${state}']`)).toHaveLength(count),
    {
      timeout: 60_000,
    },
  )
}

export const Complete: Story = {
  name: 'A flowchart and a sequence',
  play: ({ canvasElement }) => isDrawn(canvasElement, 2),
}

export const Streaming: Story = {
  name: 'Streaming: the last picture stays',
  args: { content: RIVER },
  render: ({ content }) => <Growing content={content} step={3} />,
  play: ({ canvasElement }) => isDrawn(canvasElement),
}

export const Source: Story = {
  name: 'Its source',
  args: { content: RIVER },
  play: async ({ canvas, canvasElement }) => {
    await isDrawn(canvasElement)
    await userEvent.click(canvas.getByRole('button', { name: 'Show source' }))
    await expect(canvas.getByText(/Spring --> Brook/)).toBeVisible()
  },
}

export const Failed: Story = {
  name: 'With an error: its source',
  args: { content: INVALID },
  play: ({ canvasElement }) => isDrawn(canvasElement, 1, 'failed'),
}

export const Narrow: Story = {
  name: '320 px: a wide one scrolls',
  parameters: { frame: 'narrow' },
  args: { content: '```mermaid\nflowchart LR\n  Spring --> Brook --> Stream --> River --> Delta --> Sea\n```' },
  play: ({ canvasElement }) => isDrawn(canvasElement),
}

export const InGerman: Story = {
  name: 'German',
  render: () => (
    <DictionaryProvider strings={german}>
      <MarkdownBlock content={`${RIVER}\n\n${INVALID}`} />
    </DictionaryProvider>
  ),
  play: ({ canvasElement }) => isDrawn(canvasElement),
}

export const InArabic: Story = {
  name: 'Arabic',
  globals: { direction: 'rtl' },
  render: () => (
    <DictionaryProvider strings={arabic}>
      <MarkdownBlock content={'```mermaid\nflowchart TD\n  نبع --> جدول --> نهر\n```\n\n' + INVALID} />
    </DictionaryProvider>
  ),
  play: ({ canvasElement }) => isDrawn(canvasElement),
}

export const InChinese: Story = {
  name: 'Chinese',
  render: () => (
    <DictionaryProvider strings={chinese}>
      <MarkdownBlock content={'```mermaid\nflowchart TD\n  泉 --> 溪 --> 河\n```\n\n' + INVALID} />
    </DictionaryProvider>
  ),
  play: ({ canvasElement }) => isDrawn(canvasElement),
}
