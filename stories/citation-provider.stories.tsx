import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { CitationBlock } from '../src/components/citation-block/citation-block.tsx'
import { CitationProvider } from '../src/components/citation-block/citation-provider.tsx'
import { MarkdownBlock } from '../src/components/markdown-block/markdown-block.tsx'
import { SOURCES } from './support/messages.ts'
import { MANY_SOURCES } from './support/sources.ts'

const meta = {
  title: 'Parts/Citation provider',
  component: CitationProvider,
  args: { citations: SOURCES },
  render: ({ citations }) => (
    <CitationProvider citations={citations}>
      <MarkdownBlock
        content={
          'The neck of a loop is cut through in flood.[2] Its length is about ten channel widths.[1]\n\nThe notes agree.[2, 3]'
        }
      />
      <CitationBlock citations={citations} />
    </CitationProvider>
  ),
} satisfies Meta<typeof CitationProvider>

export default meta
type Story = StoryObj<typeof meta>

export const Joined: Story = { name: 'Custom text with sources' }

export const Active: Story = {
  name: 'Hovering a source highlights its citations',
  play: async ({ canvas, userEvent }) => {
    await userEvent.hover(canvas.getByRole('link', { name: /Source 2: / }))
    const marks = canvas.getAllByRole('button', { name: 'Source 2: How an oxbow lake forms' })
    await waitFor(() => expect(marks.map((mark) => mark.dataset['active'])).toEqual(['', '']))
  },
}

export const BackToEach: Story = {
  name: 'Source number steps through its citations',
  play: async ({ canvas, userEvent }) => {
    const back = canvas.getByRole('button', { name: 'Back to citation 2 in text' })
    const marks = canvas.getAllByRole('button', { name: 'Source 2: How an oxbow lake forms' })
    await userEvent.click(back)
    await expect(marks[0]).toHaveFocus()
    await userEvent.click(back)
    await expect(marks[1]).toHaveFocus()
  },
}

export const BeyondTheList: Story = {
  name: 'Citation of a source in the panel',
  args: { citations: MANY_SOURCES },
  render: ({ citations }) => (
    <CitationProvider citations={citations}>
      <MarkdownBlock content="The last report says so.[14]" />
      <CitationBlock citations={citations} />
    </CitationProvider>
  ),
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Source 14: Field station report 14' }))
    await userEvent.click(await canvas.findByRole('button', { name: 'Show in sources' }))
    await waitFor(() =>
      expect(canvas.getByRole('dialog', { name: 'Sources' })).toContainElement(document.activeElement as HTMLElement),
    )
  },
}
