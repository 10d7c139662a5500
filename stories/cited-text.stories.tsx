import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { expect, waitFor } from 'storybook/test'
import { CitationBlock } from '../src/components/citation-block/citation-block.tsx'
import { CitationProvider } from '../src/components/citation-block/citation-provider.tsx'
import { CitedText } from '../src/components/citation-block/cited-text.tsx'
import type { Citation } from '../src/seam/agent-event.ts'
import { ARABIC_ANSWER } from './support/arabic.ts'
import { SOURCES } from './support/messages.ts'
import { HOSTILE_SOURCES } from './support/sources.ts'

const TEXT =
  'No bank is perfectly even. Where the current brushes one side a little harder, that bank wears back, and the water swings across to the other side.[1] From then on each bend feeds the next: fast water erodes the outside, slow water drops its sand on the inside.[2]\n\nWavelength follows width. Across field sites it sits between ten and fourteen channel widths, with a bend radius of two to three widths.[1, 3]'

function Answer({
  citations,
  children,
}: {
  readonly citations: readonly Citation[]
  readonly children: ReactNode
}): ReactNode {
  return (
    <CitationProvider citations={citations}>
      <p className="cs-part cs-prose cs-text" dir="auto">
        {children}
      </p>
      <CitationBlock citations={citations} />
    </CitationProvider>
  )
}

const meta = {
  title: 'Parts/Cited text',
  component: CitedText,
  args: { text: TEXT },
  render: (args) => (
    <Answer citations={SOURCES}>
      <CitedText {...args} />
    </Answer>
  ),
} satisfies Meta<typeof CitedText>

export default meta
type Story = StoryObj<typeof meta>

export const Marks: Story = { name: 'Marks in the text' }

export const Open: Story = {
  name: 'Card open',
  play: async ({ canvas, userEvent }) => {
    const mark = canvas.getByRole('button', { name: 'Source 2: How an oxbow lake forms' })
    await userEvent.click(mark)
    await expect(mark).toHaveAttribute('aria-expanded', 'true')
    await waitFor(() => expect(canvas.getByRole('dialog', { name: 'Source 2: How an oxbow lake forms' })).toBeVisible())
    await expect(canvas.getByRole('link', { name: /Open source/ })).toHaveAttribute(
      'href',
      'https://example.org/oxbow-lakes',
    )
  },
}

export const ToTheSource: Story = {
  name: 'From citation to source and back',
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getAllByRole('button', { name: 'Source 1: River meanders' })[0] as HTMLElement)
    await userEvent.click(await canvas.findByRole('button', { name: 'Show in sources' }, { timeout: 5000 }))
    await expect(canvas.getByRole('link', { name: /Source 1: River meanders/ })).toHaveFocus()
    await waitFor(() => expect(canvas.queryByRole('dialog')).toBeNull())
    await userEvent.click(await canvas.findByRole('button', { name: 'Back to citation 1 in text' }, { timeout: 5000 }))
    await expect(canvas.getAllByRole('button', { name: 'Source 1: River meanders' })[0]).toHaveFocus()
  },
}

export const OfNoWebAddress: Story = {
  name: 'Card of a source without a web address',
  args: { text: 'A book says so.[1]' },
  render: (args) => (
    <Answer
      citations={[
        { sourceId: 'b', uri: 'urn:isbn:9780674027480', title: 'A view of the river', snippet: 'Chapter 4.' },
      ]}
    >
      <CitedText {...args} />
    </Answer>
  ),
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Source 1: A view of the river' }))
    await expect(await canvas.findByRole('dialog')).toHaveTextContent(
      'urn:isbn:9780674027480 (link disabled: not a web address)',
    )
    await expect(canvas.queryByRole('link')).toBeNull()
  },
}

export const Waiting: Story = {
  name: 'Missing sources stay text',
  args: { text: 'One has come,[1] another has not,[2] and an index like a[7] never will. Half a mark is [1' },
  render: (args) => (
    <Answer citations={SOURCES.slice(0, 1)}>
      <CitedText {...args} />
    </Answer>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('button', { name: /^Source \d: / })).toHaveLength(1)
  },
}

export const RightToLeft: Story = {
  name: 'Right to left',
  args: { text: `${ARABIC_ANSWER}[1][2]` },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: /^Source 1: / }))
  },
}

export const Hostile: Story = {
  name: 'Card of a hostile source',
  args: { text: 'Too long.[1]' },
  render: (args) => (
    <Answer citations={HOSTILE_SOURCES}>
      <CitedText {...args} />
    </Answer>
  ),
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: /^Source 1: Meander/ }))
  },
}
