import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { MarkdownBlock, MarkdownProvider } from '../src/components/markdown-block/markdown-block.tsx'

const NOTE = 'A loop the river has **left behind**, see [the survey](https://example.org/survey).'

const meta = {
  title: 'Parts/Markdown provider',
  component: MarkdownProvider,
  render: (props) => (
    <MarkdownProvider {...props}>
      <MarkdownBlock content={NOTE} />
    </MarkdownProvider>
  ),
} satisfies Meta<typeof MarkdownProvider>

export default meta
type Story = StoryObj<typeof meta>

export const Rich: Story = {
  name: 'Markdown',
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('link', { name: /the survey/ })).toHaveAttribute(
      'href',
      'https://example.org/survey',
    )
  },
}

export const Plain: Story = {
  name: 'Plain text, as it was written',
  args: { engine: 'off' },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.textContent).toContain(NOTE)
  },
}

export const Own: Story = {
  name: 'Custom link',
  args: {
    renderers: {
      link: ({ href, children }) => (
        <a href={href} data-own="">
          {children} ↗
        </a>
      ),
    },
  },
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('link', { name: 'the survey ↗' })).toHaveAttribute('data-own')
  },
}
