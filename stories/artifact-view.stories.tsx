import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { expect, waitFor } from 'storybook/test'
import { ArtifactView } from '../src/components/artifact-view.tsx'
import { MarkdownProvider } from '../src/components/markdown-block/markdown-block.tsx'
import { InLanguage } from './support/in-language.tsx'
import { REPORT } from './support/tasks.ts'

const meta = {
  title: 'Tasks/Artifact view',
  component: ArtifactView,
  args: { name: 'lower-reach.md', artifactType: 'Markdown', mimeType: 'text/markdown', size: 2100, text: REPORT },
  decorators: [
    (Story) => (
      <MarkdownProvider>
        <Story />
      </MarkdownProvider>
    ),
  ],
} satisfies Meta<typeof ArtifactView>

export default meta
type Story = StoryObj<typeof meta>

export const Ready: Story = { name: 'Text that is whole' }

export const Writing: Story = { name: 'Being written', args: { text: REPORT.slice(0, 150), state: 'writing' } }

export const WritingLong: Story = {
  name: 'Being written, longer than its window',
  args: { text: `${REPORT}\n\n`.repeat(6), state: 'writing' },
}

export const Unfinished: Story = {
  name: 'Not finished when the response ended',
  args: { text: REPORT.slice(0, 150), state: 'unfinished' },
}

export const Panel: Story = {
  name: 'All of it, in the panel',
  parameters: { frame: 'chat' },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'View' }))
    const panel = await canvas.findByRole('dialog', { name: 'lower-reach.md' })
    await waitFor(() => expect(panel.querySelector('table')).toBeVisible())
    await expect(canvas.getByRole('button', { name: 'View' })).toHaveAttribute('aria-expanded', 'true')
  },
}

export const Versions: Story = {
  name: 'Earlier versions, in the panel',
  parameters: { frame: 'chat' },
  args: {
    version: 3,
    versions: [
      { version: 1, text: 'First draft.' },
      { version: 2, text: 'Second draft.' },
    ],
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'View' }))
    const choice = await canvas.findByRole('combobox', { name: 'Version' })
    await userEvent.selectOptions(choice, '1')
    await expect(await canvas.findByText('First draft.')).toBeVisible()
  },
}

export const Closed: Story = {
  name: 'Escape closes the panel, and the focus goes back',
  play: async ({ canvas, userEvent }) => {
    const button = canvas.getByRole('button', { name: 'View' })
    await userEvent.click(button)
    await canvas.findByRole('dialog')
    await userEvent.click(await canvas.findByRole('button', { name: 'Close' }))
    await waitFor(() => expect(canvas.queryByRole('dialog')).toBeNull())
    await expect(button).toHaveFocus()
  },
}

export const Data: Story = {
  args: {
    name: 'depths.json',
    artifactType: undefined,
    mimeType: 'application/json',
    text: undefined,
    size: undefined,
    data: { reach: 'lower', depths: [1.2, 2.4, 0.8], closed: false },
  },
}

export const Bytes: Story = {
  name: 'Bytes: only to save',
  args: { name: 'sheet-14.pdf', artifactType: undefined, mimeType: 'application/pdf', text: undefined, bytes: 'AAAA' },
}

export const Address: Story = {
  name: 'An address: only to open',
  args: { name: undefined, text: undefined, url: 'https://files.example/out/lower-reach.pdf', artifactType: 'PDF' },
}

export const Unsafe: Story = {
  name: 'An address that is not a web address',
  args: { name: 'report', text: undefined, url: 'javascript:alert(document.cookie)', artifactType: undefined },
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('link')).toBeNull()
  },
}

export const Narrow: Story = { name: '320 px', parameters: { frame: 'narrow' }, args: { version: 12 } }

const translated = (language: 'German' | 'Chinese' | 'Arabic') => (): ReactElement => (
  <InLanguage language={language}>
    <ArtifactView name="lower-reach.md" mimeType="text/markdown" text={REPORT} size={2100} version={2} />
  </InLanguage>
)

export const German: Story = { render: translated('German') }

export const Chinese: Story = { render: translated('Chinese') }

export const Arabic: Story = { name: 'Arabic, right to left', render: translated('Arabic') }
