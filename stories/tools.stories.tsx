import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactNode } from 'react'
import { expect, waitFor } from 'storybook/test'
import { isNumber, isString, isListOf, shape } from '../src/base/guards.ts'
import type { StandardSchema } from '../src/base/standard-schema.ts'
import { Message } from '../src/components/message/message.tsx'
import { tool } from '../src/components/tool.tsx'
import type { ToolViewProps } from '../src/components/tool.tsx'
import type { ChatSnapshot } from '../src/state/chat-snapshot.ts'
import type { AgentPart } from '../src/seam/agent-event.ts'
import type { MessagePart } from '../src/state/turn.ts'
import { promptOf } from '../test/support/prompts.ts'
import { answer, part } from './support/messages.ts'
import { chatIn, withChat } from './support/still-chat.tsx'

interface Survey {
  readonly river: string
  readonly gauges: readonly { readonly name: string; readonly metres: number }[]
}

const isSurvey = shape<Survey>({ river: isString, gauges: isListOf(shape({ name: isString, metres: isNumber })) })

/** What a library such as Zod makes. */
const survey: StandardSchema<Survey> = {
  '~standard': {
    version: 1,
    validate: (value) => (isSurvey(value) ? { value } : { issues: [{ message: 'No survey.' }] }),
  },
}

/** A view of an app: a list that grows while the input is written. */
function SurveyView({ state, input, partial, live, approval }: ToolViewProps<Survey>): ReactNode {
  const shown = input ?? partial
  return (
    <section aria-label={`Survey of ${shown?.river ?? '…'}`} aria-busy={live && state === 'preparing'}>
      <strong>{`${shown?.river ?? '…'}: ${live ? state : 'ended'}`}</strong>
      <ul>
        {shown?.gauges?.map((gauge, at) => (
          // Gauges come at the end and never change places.
          <li key={at}>{`${gauge.name ?? ''} ${gauge.metres ?? ''}`}</li>
        ))}
      </ul>
      {approval?.prompt.state === 'open' &&
        approval.prompt.options?.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            className="cs-button"
            data-kind="plain"
            onClick={() => void approval.choose(id)}
          >
            {label}
          </button>
        ))}
    </section>
  )
}

function Broken(): ReactNode {
  throw new Error('This view has a fault.')
}

const TEXT = '{"river":"Avon","gauges":[{"name":"Bridge","metres":2.14},{"name":"Weir","metres":1.02}]}'
const INPUT: unknown = JSON.parse(TEXT)
const call = (change: Partial<Extract<AgentPart, { readonly type: 'tool-call' }>>): MessagePart =>
  part('c1', { type: 'tool-call', name: 'survey', status: 'running', ...change })
const shown = (...parts: readonly MessagePart[]): { readonly chat: Partial<ChatSnapshot> } => ({
  chat: { status: 'streaming', messages: [answer('a', parts, { status: 'streaming' })] },
})

const meta = {
  title: 'Parts/Tools',
  component: Message,
  decorators: [withChat],
  args: { messageId: 'a', tools: { survey: tool(survey, SurveyView) } },
} satisfies Meta<typeof Message>

export default meta
type Story = StoryObj<typeof meta>

export const Preparing: Story = {
  name: 'Preparing: the input streams into the view',
  parameters: shown(call({ status: 'preparing', partialInput: '' })),
  play: async ({ canvas, canvasElement }) => {
    for (let end = 0; end <= TEXT.length; end += 6)
      chatIn(canvasElement).change('a', {
        parts: [call({ status: 'preparing', partialInput: TEXT.slice(0, end) })],
      })
    await waitFor(() => expect(canvas.getByText('Bridge 2.14')).toBeVisible())
    await expect(canvas.getByRole('region', { name: 'Survey of Avon' })).toHaveAttribute('aria-busy', 'true')
  },
}

export const Running: Story = { name: 'Running', parameters: shown(call({ input: INPUT })) }

export const Complete: Story = { name: 'Done', parameters: shown(call({ status: 'complete', input: INPUT })) }

export const Denied: Story = { name: 'Denied', parameters: shown(call({ status: 'denied', input: INPUT })) }

export const Approval: Story = {
  name: 'Waiting: approved inside of the view',
  parameters: shown(
    call({ status: 'waiting', input: INPUT }),
    part('p1', {
      type: 'prompt',
      prompt: promptOf({ subject: { toolCallId: 'c1', name: 'survey', input: INPUT, digest: 'd1' } }),
    }),
  ),
  play: async ({ canvas, canvasElement, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Allow' }))
    await expect(chatIn(canvasElement).used).toEqual([
      ['answer', ['p1', { type: 'option', optionId: 'yes', digest: 'd1' }]],
    ])
  },
}

export const DoesNotFit: Story = {
  name: 'Input that does not fit the schema: a row',
  parameters: shown(call({ status: 'complete', input: { river: 7 } })),
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Used survey')).toBeVisible()
    await expect(canvas.queryByRole('region')).toBeNull()
  },
}

export const ViewThrows: Story = {
  name: 'A view that throws: a row and a notice',
  args: { tools: { survey: tool(survey, Broken) } },
  parameters: shown(call({ status: 'complete', input: INPUT })),
  play: async ({ canvas }) => {
    await expect(canvas.getByText('Used survey')).toBeVisible()
    await expect(canvas.getByText('Couldn’t display this content')).toBeVisible()
  },
}

export const Narrow: Story = { ...Running, name: '320 px', parameters: { ...Running.parameters, frame: 'narrow' } }
