import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { expect, fn, waitFor } from 'storybook/test'
import type { ComposerProps } from '../src/components/composer/composer.tsx'
import { Composer } from '../src/components/composer/composer.tsx'
import { type Draft, createDraft, type OnAttach } from '../src/components/composer/draft.ts'
import { AgentContext } from '../src/react/agent-provider.tsx'
import { createChatRegistry } from '../src/state/chat.ts'
import type { ChatSnapshot } from '../src/state/chat-snapshot.ts'
import { createManualEnvironment } from '../test/support/manual-environment.ts'
import { createScriptedPeer } from '../test/support/scripted-peer.ts'
import { backoff } from '../src/base/backoff.ts'
import { answer, errorOf, said, text } from './support/messages.ts'
import { promptOf } from './support/prompts.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

const attach = fn<OnAttach>(async ({ name }) => ({ id: `file-${name}` }))

const meta = {
  title: 'Parts/Composer',
  component: Composer,
  decorators: [withChat],
  args: { placeholder: 'Ask about rivers…', onAttach: attach },
} satisfies Meta<typeof Composer>

export default meta
type Story = StoryObj<typeof meta>

const shown = (chat: Partial<ChatSnapshot>): { readonly chat: Partial<ChatSnapshot> } => ({ chat })
const running = {
  status: 'streaming',
  messages: [said('u-1', 'Why do rivers meander?'), answer('a-1', [text('Because')], { status: 'streaming' })],
} satisfies Partial<ChatSnapshot>

/** A composer that someone has already begun to write in. */
function Begun({ begin, ...props }: ComposerProps & { readonly begin: (draft: Draft) => void }): ReactNode {
  const [draft] = useState(() => {
    const made = createDraft()
    begin(made)
    return made
  })
  return <Composer {...props} draft={draft} />
}

const file = (name: string, bytes: number, type: string): File => new File([new Uint8Array(bytes)], name, { type })
const never: OnAttach = () => new Promise(() => {})

export const Empty: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole('button', { name: 'Send' })).toHaveAttribute('aria-disabled', 'true')
    await expect(canvas.getByRole('form').offsetHeight).toBe(86)
  },
}

const question = promptOf({
  id: 'q-1',
  kind: 'form',
  message: 'Which river do you mean?',
  answeredBy: 'next-run',
  schema: { type: 'object', properties: { reply: { type: 'string' } }, required: ['reply'] },
})

export const Question: Story = {
  name: 'Answers the agent’s question',
  parameters: shown({
    status: 'awaiting-input',
    messages: [
      said('u-1', 'Draw the river.'),
      answer('a-1', [{ type: 'prompt', id: question.id, prompt: question }], { status: 'complete' }),
    ],
  }),
  play: async ({ canvas }) => {
    const box = canvas.getByRole('textbox', { name: 'Your reply to the question' })
    await expect(box).toHaveAccessibleDescription('Which river do you mean?')
    await expect(canvas.getByRole('button', { name: 'Send reply' })).toBeVisible()
  },
}

export const WithText: Story = {
  name: 'With text, focused',
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.type(
      canvas.getByRole('textbox'),
      'Compare the upper and the lower reach, and say which one moves faster.',
    )
    await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
    await expect(chatIn(canvasElement).used).toEqual([])
  },
}

export const Long: Story = {
  name: 'Long text scrolls',
  render: (args) => (
    <Begun
      {...args}
      begin={(draft) =>
        draft.write(
          Array.from({ length: 24 }, (_, index) => `Gauge ${index + 1}: ${(index * 7) % 31} m wide`).join('\n'),
        )
      }
    />
  ),
  play: async ({ canvas }) => {
    const box = canvas.getByRole('textbox')
    await waitFor(() => expect(box.offsetHeight).toBe(192))
    await expect(box.scrollHeight).toBeGreaterThan(400)
  },
}

const useThese = (draft: Draft): void => {
  draft.write('Use these')
  draft.attach(file('gauges.csv', 48_000, 'text/csv'), async () => ({ id: 'f-1' }))
  draft.attach(file('sheet-14-detail.png', 1_200_000, 'image/png'), async () => ({ id: 'f-2' }))
  draft.attach(file('notes.pdf', 90_000, 'application/pdf'), (one, upload) => {
    upload.onProgress(0.64)
    return never(one, upload)
  })
  draft.attach(file('lower-reach.json', 900, 'application/json'), () => Promise.reject(new Error('ECONNRESET')))
  draft.attach(file('scan.tiff', 900, 'image/tiff'), never, 'larger than 10 MB')
}

export const Files: Story = {
  name: 'Files: ready, uploading, failed',
  render: (args) => <Begun {...args} begin={useThese} />,
  play: async ({ canvas, userEvent }) => {
    await canvas.findByText('upload failed')
    await expect(canvas.getByText('64%')).toBeVisible()
    await userEvent.click(canvas.getByRole('button', { name: 'Send' }))
    await expect(canvas.getByText('Wait for uploads to finish, or remove the failed files.')).toBeVisible()
    await expect(canvas.getByRole('textbox')).toHaveValue('Use these')
  },
}

export const FileAttached: Story = {
  name: 'File chosen and sent',
  play: async ({ canvas, canvasElement, userEvent }) => {
    const input = canvasElement.querySelector('input')
    await expect(input).not.toBeVisible()
    if (input) await userEvent.upload(input, file('gauges.csv', 48_000, 'text/csv'))
    await canvas.findByText('gauges.csv attached')
    await userEvent.type(canvas.getByRole('textbox'), 'Run it for every gauge{Enter}')
    await expect(chatIn(canvasElement).used).toEqual([
      [
        'sendMessage',
        {
          text: 'Run it for every gauge',
          files: [{ id: 'file-gauges.csv', name: 'gauges.csv', mimeType: 'text/csv', size: 48_000 }],
        },
      ],
    ])
    await expect(canvas.queryByText('gauges.csv')).toBeNull()
  },
}

export const FilesOver: Story = {
  name: 'Files dragged over',
  play: async ({ canvas }) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(file('gauges.csv', 10, 'text/csv'))
    await waitFor(async () => {
      canvas
        .getByRole('form')
        .dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
      await expect(canvas.getByRole('form')).toHaveAttribute('data-over')
    })
  },
}

export const NoFiles: Story = {
  name: 'Without attachments',
  render: ({ onAttach: _none, ...args }) => <Composer {...args} />,
}

export const Running: Story = {
  name: 'Streaming: Stop button',
  parameters: shown(running),
  play: async ({ canvas, canvasElement, userEvent }) => {
    const stop = canvas.getByRole('button', { name: 'Stop' })
    const { left, top, width, height } = stop.getBoundingClientRect()
    chatIn(canvasElement).set({ status: 'ready' })
    const send = await canvas.findByRole('button', { name: 'Send' })
    await expect(send.getBoundingClientRect()).toMatchObject({ left, top, width, height })
    chatIn(canvasElement).set({ status: 'streaming' })
    await userEvent.click(await canvas.findByRole('button', { name: 'Stop' }))
    await expect(chatIn(canvasElement).used).toEqual([['stop']])
  },
}

const waiting = [
  {
    id: 'r-1',
    message: {
      text: 'Then mark the two gauges without a width on the map, and say how far each lies from the next bend upstream.',
    },
  },
  { id: 'r-2', message: { text: '', files: [{ id: 'f-1', name: 'survey-notes.pdf', size: 90_000 }] } },
]

export const Queued: Story = {
  name: 'Streaming: queued messages',
  parameters: shown({ ...running, queued: waiting }),
  render: (args) => <Begun {...args} begin={(draft) => draft.write('And one more')} />,
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Send when this response finishes' }))
    await expect(chatIn(canvasElement).used).toEqual([['sendMessage', 'And one more']])
    await expect(chatIn(canvasElement).options).toEqual([{ whenBusy: 'queue' }])
    await userEvent.click(canvas.getByRole('button', { name: 'Edit survey-notes.pdf' }))
    await expect(canvas.getByRole('list', { name: 'Attached files' })).toHaveTextContent('survey-notes.pdf')
  },
}

export const AddsToResponse: Story = {
  name: 'Streaming: adds to the response',
  parameters: shown(running),
  args: { whenBusy: 'say' },
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.type(canvas.getByRole('textbox'), 'Only the north')
    await userEvent.click(canvas.getByRole('button', { name: 'Add to this response' }))
    await expect(chatIn(canvasElement).options).toEqual([{ whenBusy: 'say' }])
  },
}

export const NotAdded: Story = {
  name: 'Streaming: could not be added, so it is queued',
  parameters: shown(running),
  args: { whenBusy: 'say' },
  play: async ({ canvas, canvasElement, userEvent }) => {
    const chat = chatIn(canvasElement)
    chat.sendMessage = async () => {
      chat.set({ queued: [{ id: 'r-1', message: { text: 'Only the north' } }] })
      return { status: 'queued' }
    }
    await userEvent.type(canvas.getByRole('textbox'), 'Only the north{Enter}')
    await expect(
      await canvas.findByText('Couldn’t be added to this response. It will be sent when the response finishes.'),
    ).toBeVisible()
    await expect(canvas.getByText('Queued')).toBeVisible()
  },
}

export const Held: Story = {
  name: 'Response failed: queued messages wait for the user',
  parameters: shown({ status: 'error', error: errorOf(), queued: waiting, messages: running.messages }),
  play: async ({ canvas, canvasElement, userEvent }) => {
    const [first] = canvas.getAllByRole('button', { name: 'Send now' })
    if (first) await userEvent.click(first)
    await expect(chatIn(canvasElement).used).toEqual([
      ['discard', 'r-1'],
      ['sendMessage', waiting[0]?.message],
    ])
  },
}

const offline = createManualEnvironment()
offline.goOffline()
const nowhere = {
  client: {
    protocol: createScriptedPeer().protocol,
    retry: backoff(),
    timeoutMs: 60_000,
    environment: offline,
    createRequest: () => '',
  },
  registry: createChatRegistry(),
}

export const Offline: Story = {
  name: 'Offline',
  render: (args) => (
    <AgentContext.Provider value={nowhere}>
      <Composer {...args} />
    </AgentContext.Provider>
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByText('You’re offline. Messages will be sent when you reconnect.')).toBeVisible()
  },
}

export const Refused: Story = {
  name: 'Send refused: text is restored',
  play: async ({ canvas, canvasElement, userEvent }) => {
    chatIn(canvasElement).refuse(errorOf({ code: 'invalid_config' }))
    await userEvent.type(canvas.getByRole('textbox'), 'Keep me{Enter}')
    await waitFor(() => expect(canvas.getByRole('textbox')).toHaveValue('Keep me'))
    await expect(canvas.getByRole('textbox')).toHaveFocus()
  },
}

export const Controls: Story = {
  name: 'With custom controls',
  args: {
    start: (
      <button type="button" className="cs-button">
        Survey data
      </button>
    ),
    end: <span className="cs-meta">Fast model</span>,
  },
}

export const Narrow: Story = {
  name: '320 px',
  parameters: { frame: 'narrow', ...shown({ ...running, queued: waiting }) },
  render: (args) => <Begun {...args} begin={useThese} />,
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth)
  },
}
