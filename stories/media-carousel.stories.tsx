import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, waitFor } from 'storybook/test'
import { MediaCarousel } from '../src/components/media-carousel.tsx'
import { picture } from './support/messages.ts'

const REMOTE = { url: 'https://imagery.example/sheet-14.jpg', mimeType: 'image/jpeg', alt: 'Tidal limit, sheet 14' }
const OXBOW = picture('Oxbow below the weir, cut off before 1950', 200)
const TRAIN = picture('Tight train, neck about to close', 170)
const LAKE = picture('The youngest lake', 230)

const meta = {
  title: 'Parts/Media carousel',
  component: MediaCarousel,
  args: { items: [OXBOW, REMOTE, TRAIN, LAKE] },
} satisfies Meta<typeof MediaCarousel>

export default meta
type Story = StoryObj<typeof meta>

export const Row: Story = {
  name: 'Row of images',
  play: async ({ canvas, userEvent }) => {
    const next = await canvas.findByRole('button', { name: 'Next' })
    const previous = canvas.getByRole('button', { name: 'Previous' })
    await expect(previous).toHaveAttribute('aria-disabled', 'true')
    await userEvent.click(next)
    await waitFor(() => expect(previous).toHaveAttribute('aria-disabled', 'false'))
    await userEvent.click(previous)
    await waitFor(() => expect(previous).toHaveAttribute('aria-disabled', 'true'))
  },
}

export const Narrow: Story = { name: 'A row on a phone', parameters: { frame: 'narrow' } }

export const Asks: Story = {
  name: 'Remote image loads on request',
  args: { items: [REMOTE] },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByRole('button', { name: /imagery\.example.*Load image/ })).toBeVisible()
    await expect(canvasElement.querySelector('img')).toBeNull()
  },
}

export const Enlarged: Story = {
  name: 'Image in full screen and back',
  play: async ({ canvas, userEvent }) => {
    const thumbnail = canvas.getByRole('button', { name: 'Oxbow below the weir, cut off before 1950' })
    await userEvent.click(thumbnail)
    await waitFor(() => expect(thumbnail).toHaveAttribute('aria-expanded', 'true'))
    // Whichever way the page is read.
    await userEvent.keyboard('{End}')
    const other = canvas.getByRole('button', { name: 'The youngest lake' })
    await waitFor(() => expect(other).toHaveAttribute('aria-expanded', 'true'))
    await expect(thumbnail).toHaveAttribute('aria-expanded', 'false')
    await userEvent.click(other)
    await waitFor(() => expect(other).toHaveAttribute('aria-expanded', 'false'))
    await expect(other).toHaveFocus()
  },
}

export const Failed: Story = {
  name: 'Image failed to load',
  args: { items: [{ url: 'data:image/png;base64,AAAA', mimeType: 'image/png', alt: 'Sheet 15' }] },
  play: async ({ canvas }) => {
    await waitFor(() => expect(canvas.getByRole('button', { name: /Couldn’t load.*Retry/ })).toBeVisible())
  },
}

export const SoundAndFilm: Story = {
  name: 'Audio and video load on request, no autoplay',
  args: {
    items: [
      { url: 'https://films.example/flood.webm', mimeType: 'video/webm', alt: 'The flood of 1968' },
      { url: 'https://films.example/weir.ogg', mimeType: 'audio/ogg', alt: 'The weir at night' },
    ],
  },
}

export const OtherFiles: Story = {
  name: 'Other files are links',
  args: {
    items: [
      { url: 'https://files.example/survey.pdf', mimeType: 'application/pdf', alt: 'Survey of the lower reach' },
      { url: 'https://files.example/archive', mimeType: '' },
    ],
  },
}

export const Unsafe: Story = {
  name: 'Invalid address',
  args: { items: [{ url: 'javascript:alert(1)', mimeType: 'image/png', alt: 'Not a picture' }] },
}
