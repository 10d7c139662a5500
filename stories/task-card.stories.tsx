import type { Meta, StoryObj } from '@storybook/react-vite'
import type { ReactElement } from 'react'
import { useState } from 'react'
import { expect, fn } from 'storybook/test'
import { ArtifactView } from '../src/components/artifact-view.tsx'
import { TaskCard } from '../src/components/task-card.tsx'
import type { TaskCardProps } from '../src/components/task-card.tsx'
import { PromptDock } from '../src/components/prompt-dock.tsx'
import { ChatContext } from '../src/react/chat-context.ts'
import type { Prompt } from '../src/seam/prompt.ts'
import { InLanguage } from './support/in-language.tsx'
import { answer, part } from './support/messages.ts'
import { PROMPTS } from './support/prompts.ts'
import { createStillChat } from './support/still-chat.tsx'
import { EVERY_TASK, PARTS, REPORT } from './support/tasks.ts'

const meta = {
  title: 'Tasks/Task card',
  component: TaskCard,
  args: { title: 'Survey the reach', status: 'working', statusText: 'Reading sheet 14' },
} satisfies Meta<typeof TaskCard>

export default meta
type Story = StoryObj<typeof meta>

const every = (change: Partial<TaskCardProps> = {}): ReactElement => (
  <div className="story-grid">
    {EVERY_TASK.map((task) => (
      <TaskCard key={task.status} {...task} {...change} onCancel={() => {}} />
    ))}
  </div>
)

export const Working: Story = {
  args: { onCancel: fn() },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Stop task' }))
    await expect(args.onCancel).toHaveBeenCalledOnce()
  },
}

export const EveryState: Story = { name: 'Every state', render: () => every() }

export const EveryStateInAnAnswer: Story = {
  name: 'Every state, in an answer',
  render: () => <div className="story-rows">{every({ compact: true })}</div>,
}

export const Stopping: Story = {
  name: 'Being stopped',
  args: { onCancel: () => new Promise(() => {}) },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole('button', { name: 'Stop task' }))
    await expect(canvas.getByRole('button', { name: 'Stopping…' })).toHaveAttribute('aria-disabled', 'true')
  },
}

export const Unfinished: Story = { name: 'Not finished when the response ended', args: { live: false } }

export const WithAction: Story = {
  name: 'With another control',
  args: {
    status: 'failed',
    statusText: 'Sheet 15 is not readable',
    action: (
      <button type="button" className="cs-button" data-kind="plain" data-size="small">
        Run again
      </button>
    ),
  },
}

export const WithParts: Story = { name: 'Made of other tasks', args: { tasks: PARTS, onCancel: () => {} } }

export const WithPartsInAnAnswer: Story = {
  name: 'Made of other tasks, in an answer',
  args: { tasks: PARTS, compact: true, onCancel: () => {} },
}

export const WithArtifact: Story = {
  name: 'With what it has made',
  args: {
    status: 'completed',
    statusText: undefined,
    children: <ArtifactView name="lower-reach.md" mimeType="text/markdown" text={REPORT} size={2100} />,
  },
}

/** A task that asks, with the question in its card: the components of prompts show and answer it. */
function Asking({ prompt, ...task }: TaskCardProps & { readonly prompt: Prompt }): ReactElement {
  const [chat] = useState(() =>
    createStillChat({
      status: 'awaiting-input',
      messages: [answer('a-1', [part(prompt.id, { type: 'prompt', prompt })])],
    }),
  )
  return (
    <ChatContext.Provider value={chat}>
      <TaskCard {...task} onCancel={() => {}}>
        <PromptDock />
      </TaskCard>
    </ChatContext.Provider>
  )
}

const QUESTION: Prompt = {
  ...PROMPTS.signIn,
  id: 'question',
  kind: 'form',
  url: undefined,
  message: 'Which weir, upper or lower?',
  schema: { type: 'object', properties: { reply: { type: 'string' } }, required: ['reply'] },
  answeredBy: 'next-run',
}

export const InputRequired: Story = {
  name: 'Input needed',
  args: { status: 'input-required', statusText: undefined },
  render: (task) => <Asking {...task} prompt={QUESTION} />,
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('textbox')).toBeVisible()
  },
}

export const AuthRequired: Story = {
  name: 'Sign-in needed',
  args: { status: 'auth-required', statusText: undefined },
  render: (task) => <Asking {...task} prompt={PROMPTS.signIn} />,
  play: async ({ canvas }) => {
    await expect(await canvas.findByRole('link', { name: /sign-in/i })).toBeVisible()
  },
}

export const Narrow: Story = {
  name: '320 px',
  parameters: { frame: 'narrow' },
  args: { tasks: PARTS, onCancel: () => {} },
}

export const Hostile: Story = {
  name: 'Hostile words',
  parameters: { frame: 'narrow' },
  args: {
    title: `\u202Eevil ${'x'.repeat(200)}`,
    statusText: `<img src=x onerror=alert(1)> ${'long '.repeat(60)}`,
    status: 'unknown',
    word: 'W'.repeat(120),
  },
}

export const German: Story = { render: () => <InLanguage language="German">{every()}</InLanguage> }

export const Chinese: Story = { render: () => <InLanguage language="Chinese">{every()}</InLanguage> }

export const Arabic: Story = {
  name: 'Arabic, right to left',
  render: () => <InLanguage language="Arabic">{every({ tasks: PARTS })}</InLanguage>,
}
