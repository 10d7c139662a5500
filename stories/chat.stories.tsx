import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { expect, fn, waitFor } from 'storybook/test'
import type { ChatProps } from '../src/components/chat.tsx'
import { Chat } from '../src/components/chat.tsx'
import { defaultStrings } from '../src/strings/dictionary.ts'
import { arabic } from '../src/strings/arabic.ts'
import { chinese } from '../src/strings/chinese.ts'
import { german } from '../src/strings/german.ts'
import { fatal, transient, warning } from '../src/server/run/agent-output.ts'
import { cut, pause, refuse, restart, silence, status } from '../src/testing/scripted-agent.ts'
import { ARABIC_ANSWER, ARABIC_QUESTION } from './support/arabic.ts'
import { expectSaid } from './support/expect-said.ts'
import { packetAgent } from './support/packet-agent.ts'
import { ANSWER, CITED, EVERY_EVENT, longThread, PARAGRAPHS, QUESTION, spoken } from './support/rivers.ts'
import { ScriptedChat } from './support/scripted-chat.tsx'

const [FIRST = '', SECOND = ''] = PARAGRAPHS

/** Each of these chats runs the real client against an agent in memory: what breaks is the connection. */
const meta = {
  title: 'Whole chat',
  component: Chat,
  parameters: { frame: 'chat' },
  args: { title: 'River desk', onSignIn: fn(), onRequestAccess: fn() },
} satisfies Meta<typeof Chat>

export default meta
type Story = StoryObj<typeof meta>

const beginning = {
  emptyTitle: 'What about rivers?',
  suggestions: [QUESTION, 'What is an oxbow lake?', 'How wide is a meander?'],
}

export const Empty: Story = {
  tags: ['picture'],
  args: beginning,
  render: (args) => <ScriptedChat {...args} script={spoken(ANSWER)} />,
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, 'What about rivers?')
  },
}

export const SuggestionTaken: Story = {
  name: 'Suggestion chosen',
  args: beginning,
  render: (args) => <ScriptedChat {...args} script={[FIRST]} />,
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: QUESTION }))
    await expectSaid(canvasElement, FIRST)
  },
}

export const Waiting: Story = {
  name: 'Waiting for the first token',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={[silence()]} />,
  play: async ({ canvas }) => {
    await canvas.findByRole('button', { name: defaultStrings.composer.stop })
  },
}

export const Streaming: Story = {
  name: 'Streaming',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={[FIRST, ' The water ', silence()]} />,
  play: async ({ canvas, canvasElement }) => {
    await expectSaid(canvasElement, FIRST)
    await expect(canvas.getByRole('button', { name: defaultStrings.composer.stop })).toBeVisible()
  },
}

export const PlainAnswer: Story = {
  name: 'Plain text',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={spoken(ANSWER)} />,
  play: async ({ canvas, canvasElement }) => {
    await expectSaid(canvasElement, PARAGRAPHS.join(' '))
    await expect(await canvas.findByRole('button', { name: defaultStrings.message.regenerate })).toBeInTheDocument()
  },
}

const everything = (args: ChatProps): ReactElement => (
  <ScriptedChat {...args} question={QUESTION} script={EVERY_EVENT} />
)

export const CitedAnswer: Story = {
  tags: ['picture'],
  name: 'An answer with a thought, steps and sources',
  render: (args) => <ScriptedChat {...args} question="Why do rivers meander? Name your sources." script={CITED} />,
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, 'Inside and outside')
  },
}

export const TwoAnswers: Story = {
  name: 'Two responses with every part',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={EVERY_EVENT} />,
  play: async ({ canvas, canvasElement, userEvent }) => {
    await canvas.findByRole('button', { name: defaultStrings.message.regenerate }, { timeout: 5000 })
    await userEvent.type(canvas.getByRole('textbox', { name: defaultStrings.composer.label }), 'And once more?{Enter}')
    await waitFor(() => expect(canvasElement.querySelectorAll('.cs-sources')).toHaveLength(2), { timeout: 5000 })
  },
}

export const EveryEvent: Story = {
  name: 'Every presentation event',
  render: everything,
  play: async ({ canvas, canvasElement }) => {
    for (const shown of [
      'Draw the bends',
      'Oxbow lake',
      'Danube',
      'rivers',
      'read_gauge',
      'being repaired',
      'FLOW_DIAGRAM',
      'Inside and outside',
    ]) {
      await expectSaid(canvasElement, shown)
    }
    await expect(canvas.getAllByRole('link', { name: /How a bend begins/ })[0]).toHaveAttribute(
      'href',
      'https://example.org/how-a-bend-begins',
    )
  },
}

export const CutAndHealed: Story = {
  name: 'Connection drops and resumes mid-response',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={[FIRST, cut(), `\n\n${SECOND}`]} />,
  play: async ({ canvas, canvasElement }) => {
    await expectSaid(canvasElement, `${FIRST} ${SECOND}`)
    await canvas.findByRole('button', { name: defaultStrings.message.regenerate })
    await expect(canvasElement).not.toHaveTextContent(defaultStrings.ending.incomplete)
  },
}

const down = (args: ChatProps): ReactElement => (
  <ScriptedChat
    {...args}
    question={QUESTION}
    script={[FIRST, cut(), `\n\n${SECOND}`]}
    environment={{ random: () => 0.9999 }}
    retryBaseMs={30_000}
  />
)

export const Reconnecting: Story = {
  name: 'Connection down mid-response',
  render: down,
  play: async ({ canvas }) => {
    await canvas.findByRole('button', { name: defaultStrings.reconnection.retryNow }, { timeout: 5000 })
  },
}

export const RetriedNow: Story = {
  name: 'Connection down: Retry now',
  render: down,
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(
      await canvas.findByRole('button', { name: defaultStrings.reconnection.retryNow }, { timeout: 5000 }),
    )
    await expectSaid(canvasElement, SECOND)
  },
}

const broken = (args: ChatProps): ReactElement => (
  <ScriptedChat
    {...args}
    question={QUESTION}
    maxRetries={2}
    script={[FIRST, cut(), refuse(), refuse(), `\n\n${SECOND}`]}
  />
)

export const Incomplete: Story = {
  tags: ['picture'],
  name: 'Connection lost: incomplete',
  render: broken,
  play: async ({ canvas, canvasElement }) => {
    await expectSaid(canvasElement, defaultStrings.ending.incomplete)
    await expect(canvas.getByRole('button', { name: defaultStrings.ending.continue })).toBeVisible()
    await expect(canvasElement).toHaveTextContent(FIRST)
  },
}

export const Continued: Story = {
  name: 'Incomplete response continued',
  render: broken,
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(
      await canvas.findByRole('button', { name: defaultStrings.ending.continue }, { timeout: 5000 }),
    )
    await expectSaid(canvasElement, `${FIRST} ${SECOND}`)
    await expect(canvasElement).not.toHaveTextContent(defaultStrings.ending.incomplete)
  },
}

export const Fatal: Story = {
  name: 'FATAL mid-response',
  render: (args) => (
    <ScriptedChat
      {...args}
      question={QUESTION}
      script={[FIRST, fatal('index_gone', 'The index was taken away while it was being read.')]}
    />
  ),
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, 'The index was taken away')
    await expect(canvasElement).toHaveTextContent(FIRST)
  },
}

export const Transient: Story = {
  name: 'TRANSIENT with a countdown',
  render: (args) => (
    <ScriptedChat
      {...args}
      question={QUESTION}
      script={[
        FIRST,
        transient('index_slow', 'The index is slow at the moment.', { retryAfterSeconds: 30 }),
        pause(31_000),
        `\n\n${SECOND}`,
      ]}
    />
  ),
  play: async ({ canvas, canvasElement }) => {
    await expectSaid(canvasElement, 'Reconnecting in')
    await expect(canvas.getByRole('button', { name: defaultStrings.reconnection.retryNow })).toBeVisible()
  },
}

export const Warning: Story = {
  name: 'WARNING: the response continues',
  render: (args) => (
    <ScriptedChat
      {...args}
      question={QUESTION}
      script={[FIRST, warning('old_index', 'The index is a day old; the newest notes are missing.'), `\n\n${SECOND}`]}
    />
  ),
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, 'The index is a day old')
    await expectSaid(canvasElement, SECOND)
  },
}

export const SignedOut: Story = {
  name: '401: sign in',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={[status(401)]} />,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole('button', { name: defaultStrings.error.signIn }))
    await expect(args.onSignIn).toHaveBeenCalledOnce()
  },
}

export const NoAccess: Story = {
  name: '403: request access',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={[status(403)]} />,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(await canvas.findByRole('button', { name: defaultStrings.error.requestAccess }))
    await expect(args.onRequestAccess).toHaveBeenCalledOnce()
  },
}

export const RateLimited: Story = {
  name: '429: too many requests',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={[status(429, { retryAfterSeconds: 30 })]} />,
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, 'Too many requests')
  },
}

export const Restarted: Story = {
  name: 'Server restarted',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={[FIRST, cut(), restart(), `\n\n${SECOND}`]} />,
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, defaultStrings.ending.restarted)
    await expectSaid(canvasElement, `${FIRST} ${SECOND}`)
  },
}

const STREAM = 'a3f1c2d4-5b6e-4f70-8a91-b2c3d4e5f607'
const said = (seq: number, p: string): object => ({ stream_id: STREAM, seq, op: 'DELTA', t: '2026-03-01T09:00:00Z', p })

const WITH_A_GAP = [
  said(1, `${FIRST} `),
  said(2, 'The water '),
  said(5, 'swings across to the other side.'),
  { ...said(6, ''), op: 'CLOSE', p: 'finished' },
]

export const Gap: Story = {
  name: 'Missing packets',
  render: (args) => <ScriptedChat {...args} question={QUESTION} fetch={packetAgent(WITH_A_GAP)} />,
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, defaultStrings.gap.mark(2))
    await expectSaid(canvasElement, 'swings across')
  },
}

const OFFLINE = { isOnline: () => false, subscribe: () => () => {} }

export const Offline: Story = {
  name: 'Offline',
  render: (args) => (
    <ScriptedChat {...args} question={QUESTION} script={[FIRST, cut(), SECOND]} environment={{ online: OFFLINE }} />
  ),
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, defaultStrings.connection.offline)
    await expectSaid(canvasElement, FIRST)
  },
}

export const Stopped: Story = {
  name: 'Stopped by the user',
  render: (args) => <ScriptedChat {...args} question={QUESTION} script={[FIRST, silence()]} />,
  play: async ({ canvas, canvasElement, userEvent }) => {
    await expectSaid(canvasElement, FIRST)
    await userEvent.click(canvas.getByRole('textbox', { name: defaultStrings.composer.label }))
    await userEvent.keyboard('{Escape}')
    await expectSaid(canvasElement, defaultStrings.ending.cancelled)
  },
}

export const NotSent: Story = {
  tags: ['picture'],
  name: 'Message not sent',
  render: (args) => <ScriptedChat {...args} question={QUESTION} maxRetries={0} script={[refuse(), FIRST]} />,
  play: async ({ canvas, canvasElement }) => {
    await expectSaid(canvasElement, defaultStrings.message.notSent)
    await expect(canvas.getByRole('button', { name: defaultStrings.message.discard })).toBeVisible()
  },
}

export const UnknownEvent: Story = {
  name: 'Unsupported event',
  render: (args) => (
    <ScriptedChat
      {...args}
      question="Show me the flow of the river."
      script={EVERY_EVENT.filter(
        (said) =>
          typeof said === 'string' ||
          (typeof said === 'object' && said.kind === 'event' && said.type === 'FLOW_DIAGRAM'),
      )}
    />
  ),
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, 'FLOW_DIAGRAM')
  },
}

export const LongThread: Story = {
  name: 'Long conversation',
  render: (args) => <ScriptedChat {...args} initialMessages={longThread(60)} script={spoken(ANSWER)} />,
  play: async ({ canvas }) => {
    const last = await canvas.findByText(/^Question 60:/, undefined, { timeout: 5000 })
    await expect(last).toBeVisible()
  },
}

export const Narrow: Story = {
  tags: ['picture'],
  name: 'Narrow, 320 px',
  parameters: { frame: 'narrow-chat' },
  render: everything,
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, 'Inside and outside')
    const transcript = canvasElement.querySelector('.story-ground')
    await expect(transcript?.scrollWidth).toBe(transcript?.clientWidth)
  },
}

export const Dark: Story = {
  globals: { theme: 'dark' },
  render: everything,
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, 'Inside and outside')
  },
}

export const Arabic: Story = {
  name: 'Right to left, in Arabic',
  globals: { direction: 'rtl' },
  args: { title: 'مكتب الأنهار', strings: arabic },
  render: (args) => <ScriptedChat {...args} question={ARABIC_QUESTION} script={spoken(ARABIC_ANSWER)} />,
  play: async ({ canvas, canvasElement }) => {
    await expectSaid(canvasElement, ARABIC_ANSWER)
    await expect(canvas.getByRole('textbox', { name: arabic.composer.label })).toBeVisible()
  },
}

export const German: Story = {
  name: 'In German, incomplete',
  args: { title: 'Flussauskunft', strings: german },
  render: (args) => (
    <ScriptedChat
      {...args}
      question="Warum mäandern Flüsse?"
      maxRetries={1}
      script={['Kein Ufer ist ganz gleichmäßig. Wo die Strömung ', cut(), refuse()]}
    />
  ),
  play: async ({ canvasElement }) => {
    await expectSaid(canvasElement, german.ending.incomplete)
  },
}

export const Chinese: Story = {
  name: 'In Chinese, signed out',
  args: { title: '河流咨询', strings: chinese },
  render: (args) => <ScriptedChat {...args} question="河流为什么会弯曲？" script={[status(401)]} />,
  play: async ({ canvas }) => {
    await canvas.findByRole('button', { name: chinese.error.signIn })
  },
}
