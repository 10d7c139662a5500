import type { Meta, StoryObj } from '@storybook/react-vite'
import { expect, within } from 'storybook/test'
import { Message } from '../src/components/message/message.tsx'
import type { ChatSnapshot } from '../src/state/chat-snapshot.ts'
import type { ChatMessage, MessagePart } from '../src/state/turn.ts'
import { ARABIC_ANSWER } from './support/arabic.ts'
import { answer, part, picture, SOURCES, text } from './support/messages.ts'
import { PARAGRAPHS } from './support/rivers.ts'
import { MANY_SOURCES } from './support/sources.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

const [FIRST = '', SECOND = '', THIRD = ''] = PARAGRAPHS

/** What an agent says, with its sources, what it does meanwhile, and how far it has come. */
const meta = {
  title: 'Parts/Assistant message',
  component: Message,
  decorators: [withChat],
  args: { messageId: 'a-1' },
} satisfies Meta<typeof Message>

export default meta
type Story = StoryObj<typeof meta>

const one = (
  parts: readonly MessagePart[],
  change: Partial<ChatMessage> = {},
): { readonly chat: Partial<ChatSnapshot> } => ({
  chat: {
    status: change.status === 'streaming' || change.status === 'pending' ? 'streaming' : 'ready',
    messages: [answer('a-1', parts, { endedAt: Date.UTC(2026, 2, 1, 14, 5), ...change })],
  },
})
const sources = part('c-1', { type: 'citations', citations: SOURCES })
const CITED = `${FIRST}[1]\n\n${SECOND}[2][3]`

export const Words: Story = { name: 'Words alone', parameters: one([text(`${FIRST}\n\n${SECOND}\n\n${THIRD}`)]) }

export const Cited: Story = {
  name: 'With sources',
  parameters: one([text(CITED), sources]),
  play: async ({ canvas }) => {
    await expect(canvas.getAllByRole('button', { name: /^Source \d: / })).toHaveLength(3)
    await expect(canvas.getByRole('group', { name: 'Sources' })).toBeVisible()
  },
}

export const Growing: Story = {
  name: 'With sources, streaming',
  parameters: one([text(CITED), sources], { status: 'streaming' }),
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.getByRole('article')).toHaveAttribute('aria-busy', 'true')
    chatIn(canvasElement).change('a-1', { parts: [text(`${CITED}\n\n${THIRD}[1`), sources] })
    // Half of a mark is not shown: it may become a source.
    await expect(await canvas.findByText(THIRD)).toBeVisible()
    await expect(canvas.queryByText(/\[1$/)).toBeNull()
  },
}

export const SourcesLater: Story = {
  name: 'Sources arrive last',
  parameters: one([text(CITED)], { status: 'streaming' }),
  play: async ({ canvas, canvasElement }) => {
    await expect(canvas.queryByRole('button', { name: /^Source/ })).toBeNull()
    chatIn(canvasElement).change('a-1', { parts: [text(CITED), sources] })
    await expect(await canvas.findAllByRole('button', { name: /^Source \d: / })).toHaveLength(3)
  },
}

export const Supported: Story = {
  name: 'Cited spans from the agent',
  parameters: one([text('Each bend is about ten channel widths long, whatever the climate.'), sources]),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: 'Source 1: River meanders' })).toBeVisible()
  },
}

export const ManySources: Story = {
  name: 'More sources than fit below',
  parameters: one([
    text(`${FIRST}[1, 7]\n\n${SECOND}[14]`),
    part('c-1', { type: 'citations', citations: MANY_SOURCES }),
  ]),
}

export const Working: Story = {
  name: 'It thinks, takes steps and calls a tool',
  parameters: one(
    [
      part('t-1', { type: 'thought', text: 'The width is known at two gauges.', status: 'complete' }),
      part('p-1', { type: 'progress', label: 'Read three notes', status: 'complete', fraction: 1 }),
      part('p-2', { type: 'progress', label: 'Measure the bends', status: 'running', fraction: 0.4 }),
      part('k-1', { type: 'tool-call', name: 'read_gauge', input: { place: 'bridge' }, status: 'running' }),
    ],
    { status: 'streaming' },
  ),
}

export const Everything: Story = {
  name: 'Every part type, in order of arrival',
  parameters: one([
    part('t-1', { type: 'thought', text: 'The width is known at two gauges.', status: 'complete' }),
    text(`${FIRST}[1]`),
    part('m-1', { type: 'media', items: [picture()] }),
    part('d-1', { type: 'data', viewHint: 'TABLE', data: [{ river: 'Danube', length_km: 2850 }] }),
    part('md-1', { type: 'markdown', content: 'A loop the river has **left behind**.[2]' }),
    part('a-1', {
      type: 'artifact',
      artifactId: 'rivers',
      url: 'https://example.org/rivers.csv',
      mimeType: 'text/csv',
    }),
    { type: 'gap', id: 'g-1', after: 4, before: 6 },
    text(SECOND, 'text-2'),
    sources,
  ]),
}

const HOLE_BEFORE =
  'The spacing follows the width, here for two reaches:\n\n```js\n// metres\nexport function spacing(width) {\n  const factor = 1'
const HOLE_BEHIND = '\n  return width * factor\n}\n```\n\n| Stretch | Width |\n| :--- | ---: |\n| Upper reach | 8 m |\n'

export const Hole: Story = {
  name: 'Missing packets inside code',
  parameters: one([
    text(HOLE_BEFORE),
    { type: 'gap', id: 'g-1', after: 70, before: 74 },
    text(HOLE_BEHIND, 'text-2'),
    { type: 'gap', id: 'g-2', after: 91, before: 93 },
    text('| Lower reach | 74 m |\n\nThe middle reach ', 'text-3'),
    { type: 'gap', id: 'g-3', after: 99, before: 102 },
    text(' was not measured.', 'text-4'),
  ]),
  play: async ({ canvas }) => {
    const code = await canvas.findByRole('group', { name: 'js' })
    await expect(within(code).getByRole('button', { name: 'Part of the response is missing' })).toBeVisible()
    await expect(code).toHaveTextContent('return width * factor }')
    await expect(
      within(canvas.getByRole('table')).getByRole('button', { name: 'Part of the response is missing' }),
    ).toBeVisible()
    await expect(canvas.getByRole('cell', { name: 'Lower reach' })).toBeVisible()
  },
}

export const Nothing: Story = { name: 'Waiting for the first token', parameters: one([], { status: 'pending' }) }

export const RightToLeft: Story = {
  name: 'Arabic',
  parameters: one([text(`${ARABIC_ANSWER}[1]`), sources]),
}

export const Narrow: Story = { name: '320 px', parameters: { ...one([text(CITED), sources]), frame: 'narrow' } }
