import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { expect, fn } from 'storybook/test'
import { Chat } from '../src/components/chat.tsx'
import { ErrorBoundary } from '../src/components/error-boundary.tsx'
import type { RenderPart } from '../src/components/message/message-context.ts'
import { answer, part, said, text } from './support/messages.ts'
import { withChat } from './support/still-chat.tsx'

/** A part with a bug in it, until `mended`. */
function Chart({ mended }: { readonly mended: { now: boolean } }): ReactNode {
  if (!mended.now) throw new TypeError("Cannot read properties of undefined (reading 'gauges')")
  return <p>Thirty-one gauges, each with a width.</p>
}

const meta = {
  title: 'Parts/Error boundary',
  component: ErrorBoundary,
  args: { onError: fn() },
} satisfies Meta<typeof ErrorBoundary>

export default meta
type Story = StoryObj<typeof meta>

export const Broken: Story = {
  name: 'Part that failed to render',
  args: { children: <Chart mended={{ now: false }} /> },
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText('Couldn’t display this content')).toBeVisible()
    await expect(args.onError).toHaveBeenCalledOnce()
    await userEvent.click(canvas.getByText('Details'))
  },
}

export const WithFallback: Story = {
  name: 'With the plain text as fallback',
  args: { fallback: <p>No bank is perfectly even.</p>, children: <Chart mended={{ now: false }} /> },
}

export const TriedAgain: Story = {
  name: 'Recovers on retry',
  render: (args) => {
    const mended = { now: false }
    return (
      <div onClickCapture={() => (mended.now = true)}>
        <ErrorBoundary {...args}>
          <Chart mended={mended} />
        </ErrorBoundary>
      </div>
    )
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Try again' }))
    await expect(canvas.getByText('Thirty-one gauges, each with a width.')).toBeVisible()
  },
}

const brokenArtifact: RenderPart = (shown) => {
  if (shown.type === 'artifact') throw new RangeError('Invalid array length')
  return undefined
}

export const InAnAnswer: Story = {
  name: 'In a response: the other parts stay',
  parameters: {
    frame: 'chat',
    chat: {
      status: 'streaming',
      messages: [
        said('u-1', 'Draw the bends of reach 14.'),
        answer(
          'a-1',
          [
            text('Here is the map. '),
            part('map', { type: 'artifact', artifactId: 'reach-14', mimeType: 'image/svg+xml' }),
            text('The widest bend is the third one', 'text-2'),
          ],
          { status: 'streaming' },
        ),
      ],
    },
  },
  decorators: [withChat],
  render: () => <Chat title="River desk" renderPart={brokenArtifact} />,
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Couldn’t display this content')).toBeVisible()
    await expect(canvas.getByText('The widest bend is the third one')).toBeVisible()
  },
}
