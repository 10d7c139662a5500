// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentEvent, ToolCallStatus } from '../../src/seam/agent-event.ts'
import type { CommandResult } from '../../src/seam/command.ts'
import type { Prompt, PromptEnd } from '../../src/seam/prompt.ts'
import { loadCommandsModule } from '../../src/state/chat.ts'
import { promptOf } from '../support/prompts.ts'
import { failure } from '../support/scripted-peer.ts'
import type { ScriptedChat } from './scripted-chat.tsx'
import { ask, showScriptedChat } from './scripted-chat.tsx'
import './show.tsx'

// Every label of a chat that depends on its state, in each state: the header's pill, the end of the transcript, the row of the tool,
// the row of the prompt and what is announced. None of them may contradict another.

beforeAll(async () => {
  await loadCommandsModule()
  await import('../../src/components/prompt-components.ts')
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const SUBJECT = { toolCallId: 't1', name: 'send_mail', input: { to: 'ann@rivers.example' }, digest: 'd1' }
const TOOL = (status: ToolCallStatus): AgentEvent => ({
  type: 'part',
  streamId: 's1',
  partId: 't1',
  part: { type: 'tool-call', name: 'send_mail', input: SUBJECT.input, status },
})
const SETTLED = (state: PromptEnd, answerId?: string): AgentEvent => ({
  type: 'prompt-settled',
  streamId: 's1',
  promptId: 'p1',
  state,
  answerId,
})

/** Labels that say who is waited for, or how it ended. Absent: not shown. */
interface Labels {
  readonly pill: string
  /** Name of the dots at the end of the answer. */
  readonly dots?: string
  readonly thought?: string
  readonly tool?: string
  readonly trace?: string
  /** The last announcement. */
  readonly announced?: string
  readonly ending?: string
}

let page: ScriptedChat
let seq: number
let onCommand: () => CommandResult | Promise<CommandResult>

const labels = (): Readonly<Record<string, string | undefined>> => {
  const text = (selector: string): string | undefined =>
    page.container.querySelector(selector)?.textContent?.trim() || undefined
  const regions = [...page.container.querySelectorAll<HTMLElement>('.cs-chat > .cs-hidden > [role=status]')]
  const folds = [...page.container.querySelectorAll('.cs-fold-summary > bdi:first-of-type')].map(
    (label) => label.textContent ?? '',
  )
  const all = {
    pill: text('.cs-pill') ?? '',
    dots: screen.queryByRole('img', { name: /Waiting/ })?.getAttribute('aria-label') ?? undefined,
    thought: folds.find((label) => !label.includes('send_mail')),
    tool: folds.find((label) => label.includes('send_mail')),
    trace: text('.cs-prompt-trace-outcome'),
    announced: regions.map(({ textContent }) => textContent).find((words) => words !== ''),
    ending: text('.cs-list .cs-status-row b'),
  }
  return Object.fromEntries(Object.entries(all).filter(([, label]) => label !== undefined))
}

async function open(): Promise<void> {
  onCommand = () => ({ result: 'accepted' })
  seq = 0
  page = showScriptedChat({ canAct: true, onCommand: () => onCommand() })
  await page.move(() => {})
}
const wait = (ms: number): Promise<void> => page.move(() => {}, ms)
async function send(...events: readonly AgentEvent[]): Promise<void> {
  await page.move(() => {
    for (const event of events) page.peer.connection.event((seq += 1), event)
  })
  await wait(20)
  await wait(20)
}
async function begin(): Promise<void> {
  await page.move(() => ask('Tell Ann'))
}
async function prompt(changes: Partial<Prompt> = {}): Promise<void> {
  await begin()
  await send(TOOL('waiting'), { type: 'prompt', prompt: promptOf({ subject: SUBJECT, ...changes }) })
}
async function press(name: RegExp): Promise<void> {
  await wait(700)
  const button = screen.getByRole('button', { name })
  await page.move(() => {
    fireEvent.pointerDown(button)
    fireEvent.click(button, { detail: 1 })
  })
  await wait(20)
}
const silence = (): Promise<void> => wait(6000)
const never = (): Promise<CommandResult> => new Promise(() => {})

const OPEN: Labels = {
  pill: 'Waiting for you',
  tool: 'send_mail is waiting for you',
  trace: 'Waiting for your answer',
  announced: 'Your approval is needed',
}

describe('every label of a chat', () => {
  it.each<[state: string, steps: () => Promise<void>, labels: Labels]>([
    ['ready', async () => {}, { pill: 'Ready' }],
    ['submitted', begin, { pill: 'Connecting', dots: 'Waiting for a response', announced: 'Generating a response' }],
    [
      'streaming, nothing shown yet',
      async () => {
        await begin()
        await send({ type: 'run-started' })
      },
      { pill: 'Connected', dots: 'Waiting for a response', announced: 'Generating a response' },
    ],
    [
      'streaming, silent for five seconds',
      async () => {
        await begin()
        await send({ type: 'run-started' })
        await silence()
      },
      { pill: 'Waiting for the assistant', dots: 'Waiting for a response', announced: 'Generating a response' },
    ],
    ['a prompt is open', prompt, OPEN],
    [
      'a prompt is open and the agent is silent',
      async () => {
        await prompt()
        await silence()
      },
      OPEN,
    ],
    [
      'a question is open',
      () => prompt({ kind: 'choice', subject: undefined }),
      { ...OPEN, announced: 'The assistant has a question' },
    ],
    [
      'a prompt is open before the row of its tool',
      async () => {
        await begin()
        await send({ type: 'prompt', prompt: promptOf({ subject: SUBJECT }) }, TOOL('waiting'))
      },
      OPEN,
    ],
    [
      'a prompt is open after a thought without an end',
      async () => {
        await begin()
        await send({ type: 'part', streamId: 's1', partId: 'h1', part: { type: 'thought', text: 'Mail?' } })
        await send(TOOL('waiting'), { type: 'prompt', prompt: promptOf({ subject: SUBJECT }) })
      },
      { ...OPEN, thought: 'Thought for 1 s' },
    ],
    [
      'the answer is on its way',
      async () => {
        onCommand = never
        await prompt()
        await press(/^Allow once/)
      },
      {
        pill: 'Connected',
        dots: 'Waiting for a response',
        tool: 'Preparing send_mail',
        trace: 'Sending your answer…',
        announced: 'Generating a response',
      },
    ],
    [
      'the answer is on its way for five seconds',
      async () => {
        onCommand = never
        await prompt()
        await press(/^Allow once/)
        await silence()
      },
      {
        pill: 'Waiting for the assistant',
        dots: 'Waiting for a response',
        tool: 'Preparing send_mail',
        trace: 'Sending your answer…',
        announced: 'Generating a response',
      },
    ],
    [
      'allowed, and the agent has not acted yet',
      async () => {
        await prompt()
        await press(/^Allow once/)
      },
      {
        pill: 'Connected',
        dots: 'Waiting for a response',
        tool: 'Preparing send_mail',
        trace: 'You allowed send_mail once',
        announced: 'Generating a response',
      },
    ],
    [
      'denied, and the agent has not acted yet',
      async () => {
        await prompt()
        await press(/^Deny/)
      },
      {
        pill: 'Connected',
        dots: 'Waiting for a response',
        tool: 'send_mail wasn’t allowed',
        trace: 'You did not allow send_mail',
        announced: 'Generating a response',
      },
    ],
    [
      'the answer is unconfirmed',
      async () => {
        onCommand = () => Promise.reject(failure({ code: 'delivery_unknown' }))
        await prompt()
        await press(/^Allow once/)
        await wait(60_000)
      },
      { ...OPEN, trace: 'Not known whether your answer arrived' },
    ],
    [
      'one of two is answered',
      async () => {
        await prompt()
        await send({ type: 'prompt', prompt: promptOf({ id: 'p2', kind: 'choice' }) })
        await press(/^Allow once/)
      },
      {
        pill: 'Waiting for you',
        tool: 'Preparing send_mail',
        trace: 'You allowed send_mail once',
        announced: 'The assistant has a question',
      },
    ],
    [
      'answered elsewhere',
      async () => {
        await prompt()
        await send(SETTLED('answered', 'other'))
      },
      {
        pill: 'Connected',
        dots: 'Waiting for a response',
        tool: 'Preparing send_mail',
        trace: 'Answered elsewhere',
        announced: 'Generating a response',
      },
    ],
    [
      'expired',
      async () => {
        await prompt()
        await send(SETTLED('expired'))
      },
      {
        pill: 'Connected',
        dots: 'Waiting for a response',
        tool: 'Preparing send_mail',
        trace: 'Expired without an answer',
        announced: 'Generating a response',
      },
    ],
    [
      'allowed and done',
      async () => {
        await prompt()
        await press(/^Allow once/)
        await send(TOOL('complete'), { type: 'stream-closed', streamId: 's1' })
      },
      {
        pill: 'Ready',
        tool: 'Used send_mail',
        trace: 'You allowed send_mail once',
        announced: 'Response complete',
      },
    ],
    [
      'stopped while a prompt is open',
      async () => {
        await prompt()
        await page.move(() => fireEvent.click(screen.getByRole('button', { name: 'Stop' }), { detail: 1 }))
        await wait(100)
      },
      {
        pill: 'Ready',
        tool: 'send_mail did not finish',
        trace: 'Withdrawn without an answer',
        announced: 'Response stopped',
        ending: 'Stopped',
      },
    ],
    [
      'the run has ended with a prompt',
      async () => {
        await prompt({ answeredBy: 'next-run' })
        await send({ type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' })
        await silence()
      },
      OPEN,
    ],
    [
      'the answer is on its way with the next run',
      async () => {
        await prompt({ answeredBy: 'next-run' })
        await send({ type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' })
        await press(/^Allow once/)
      },
      {
        pill: 'Connecting',
        dots: 'Waiting for a response',
        tool: 'Preparing send_mail',
        trace: 'Sending your answer…',
        announced: 'Generating a response',
      },
    ],
    [
      'the connection drops while a prompt is open',
      async () => {
        await prompt()
        await page.move(() => page.peer.connection.fail(failure()))
        await wait(600)
      },
      { ...OPEN, pill: 'Reconnecting, 1 of 3', announced: 'Connection lost, reconnecting' },
    ],
  ])('is true in this state: %s', async (_state, steps, expected) => {
    await open()
    await steps()
    expect(labels()).toEqual(expected)
  })
})
