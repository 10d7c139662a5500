import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { createHighlightedCode } from '../src/components/highlight/highlighted-code.tsx'
import { MarkdownBlock, MarkdownProvider } from '../src/components/markdown-block/markdown-block.tsx'
import '../src/highlighting.css'
import { Growing } from './support/growing.tsx'

const RENDERERS = { code: createHighlightedCode() }

const TYPESCRIPT = `\`\`\`ts
import { readings } from './gauge.ts'

/* Meanders keep to about
 * eleven channel widths. */
export async function spacing(river: string, widths = 11): Promise<string> {
  const { width } = await readings(river) // metres
  if (width === undefined) throw new Error('No such gauge')
  return \`\${Math.round(width * widths)} m\`
}
\`\`\``

const PYTHON = `\`\`\`python
class Gauge:
    """A gauge at the river."""

    def level(self, hours: int = 24) -> float:
        # the mean of the last day
        return sum(self.read(h) for h in range(hours)) / hours or None
\`\`\``

const meta = {
  title: 'Parts/Highlighted code',
  component: MarkdownBlock,
  args: { content: `${TYPESCRIPT}\n\n${PYTHON}` },
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

async function isPainted(canvasElement: HTMLElement, line: string): Promise<void> {
  await waitFor(
    () =>
      expect([...canvasElement.querySelectorAll('[data-token]')].map(({ textContent }) => textContent)).toContain(line),
    { timeout: 30_000 },
  )
}

export const Complete: Story = {
  name: 'Highlighted code',
  play: async ({ canvasElement }) => {
    await isPainted(canvasElement, "'No such gauge'")
    await isPainted(canvasElement, '# the mean of the last day')
  },
}

export const Streaming: Story = {
  name: 'Streaming, line by line',
  args: { content: PYTHON },
  render: ({ content }) => <Growing content={content} />,
  play: async ({ canvasElement }) => {
    await isPainted(canvasElement, '# the mean of the last day')
  },
}

export const Unknown: Story = {
  name: 'Unknown language: plain',
  args: { content: '```klingon\nqapla 42\n```' },
  play: async ({ canvas, canvasElement }) => {
    await expect(await canvas.findByText('qapla 42')).toBeVisible()
    await expect(canvasElement.querySelector('[data-token]')).toBeNull()
  },
}

export const Narrow: Story = {
  name: '320 px',
  parameters: { frame: 'narrow' },
  args: { content: TYPESCRIPT },
  play: async ({ canvasElement }) => {
    await isPainted(canvasElement, "'No such gauge'")
  },
}
