import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect } from 'storybook/test'
import { MediaCarousel } from '../src/components/media-carousel.tsx'
import { MediaPolicyProvider } from '../src/components/media-policy.tsx'
import { picture } from './support/messages.ts'

const meta = {
  title: 'Parts/Media policy provider',
  component: MediaPolicyProvider,
  render: (args) => (
    <MediaPolicyProvider {...args}>
      <MediaCarousel
        items={[picture(), { url: 'https://pictures.example/oxbow.jpg', mimeType: 'image/jpeg', alt: 'An oxbow lake' }]}
      />
    </MediaPolicyProvider>
  ),
} satisfies Meta<typeof MediaPolicyProvider>

export default meta
type Story = StoryObj<typeof meta>

export const Asked: Story = {
  name: 'Remote images load on request',
  play: async ({ canvasElement }) => {
    await expect(canvasElement).toHaveTextContent('pictures.example')
    await expect(canvasElement.querySelector('img[src^="https:"]')).toBeNull()
  },
}

export const OtherHosts: Story = {
  name: 'Host not in the list: loads on request',
  args: { allowedHosts: ['cdn.example'] },
}
