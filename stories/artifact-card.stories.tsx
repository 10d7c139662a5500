import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { ArtifactCard } from '../src/components/artifact-card.tsx'

const meta = {
  title: 'Parts/Artifact card',
  component: ArtifactCard,
  args: { url: 'https://files.example/out/wavelengths.csv', artifactType: 'CSV', size: 3400 },
} satisfies Meta<typeof ArtifactCard>

export default meta
type Story = StoryObj<typeof meta>

export const Ready: Story = {
  name: 'Ready to open',
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('link', { name: /Open/ })).toHaveAttribute('rel', 'noopener noreferrer nofollow')
  },
}

export const Writing: Story = {
  name: 'Being written',
  args: { url: undefined, name: 'lower-reach.md', artifactType: 'Markdown', size: 2100, state: 'writing' },
}

export const Failed: Story = {
  name: 'Failed',
  args: { url: undefined, name: 'lower-reach.md', artifactType: 'Markdown', size: undefined, state: 'failed' },
}

export const Unfinished: Story = {
  name: 'Not finished when the response ended',
  args: { url: undefined, name: 'lower-reach.md', artifactType: 'Markdown', text: '# Lower re', state: 'unfinished' },
}

export const WithContent: Story = {
  name: 'With content: a version to download',
  args: {
    url: undefined,
    name: 'lower-reach.md',
    artifactType: 'Markdown',
    size: 2100,
    version: 3,
    text: '# Lower reach',
  },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: 'Download' })).toBeVisible()
    await expect(canvas.queryByRole('link')).toBeNull()
  },
}

export const WithContentNarrow: Story = {
  name: 'With content and address, 320 px',
  parameters: { frame: 'narrow' },
  args: { ...WithContent.args, url: 'https://files.example/out/lower-reach.md' },
}

export const BrokenContent: Story = {
  name: 'Content that is no base64',
  args: { url: undefined, name: 'sheet-14.png', mimeType: 'image/png', bytes: '%%%' },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Download' }))
    await expect(await canvas.findByText('Failed')).toBeVisible()
  },
}

export const Picture: Story = {
  name: 'Image',
  args: {
    url: 'https://files.example/out/sheet-14.png',
    mimeType: 'image/png',
    artifactType: undefined,
    size: 1_240_000,
  },
}

export const OnlyAnId: Story = {
  name: 'Only the id is known',
  args: { url: undefined, artifactId: 'artifact-7f2c', artifactType: undefined, size: undefined },
}

export const Unsafe: Story = {
  name: 'Address that is not a web address',
  args: { url: 'javascript:alert(document.cookie)', artifactId: 'report' },
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole('link')).toBeNull()
  },
}

export const Long: Story = {
  name: 'Long name',
  parameters: { frame: 'narrow' },
  args: { url: `https://files.example/${'lower-reach-'.repeat(12)}.csv` },
}
