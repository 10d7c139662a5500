// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PROMPTS, promptOf } from '../../../stories/support/prompts.ts'
import { AgentError } from '../../../src/base/agent-error.ts'
import { A2AClient } from '../../../src/protocols/a2a/client/a2a-client.ts'
import { Chat } from '../../../src/components/chat.tsx'
import { Composer } from '../../../src/components/composer/composer.tsx'
import { DictionaryProvider } from '../../../src/components/dictionary/dictionary-context.tsx'
import { arabic, chinese, german } from '../../../src/locales.ts'
import type { Prompt } from '../../../src/seam/prompt.ts'
import type { AnswerResult } from '../../../src/state/chat-options.ts'
import { createChat } from '../../../src/state/chat.ts'
import { keepServerQuiet } from '../../support/a2a/quiet-server.ts'
import { serveSdkAgent } from '../../support/a2a/sdk-agent.ts'
import type { FakeChat } from '../fake-chat.ts'
import { answer, createFakeChat, said } from '../fake-chat.ts'
import { settle, show } from '../show.tsx'

/** What A2A's `input-required` asks. */
const QUESTION = promptOf({
  id: 'q-1',
  kind: 'form',
  message: 'Which river?',
  answeredBy: 'next-run',
  schema: { type: 'object', properties: { reply: { type: 'string' } }, required: ['reply'] },
})

function chatWith(...prompts: readonly Prompt[]): FakeChat {
  const parts = prompts.map((prompt) => ({ type: 'prompt', id: prompt.id, prompt }) as const)
  return createFakeChat({
    status: 'awaiting-input',
    messages: [said('u-1', 'Draw it.'), answer('a-1', parts, { status: 'complete' })],
  })
}

/** The composer's own: a prompt has inputs as well once its code is loaded. */
const box = (): HTMLTextAreaElement => screen.getByRole('textbox', { name: /^(?:Message|Your reply to the question)$/ })
const write = (words: string): void => void fireEvent.change(box(), { target: { value: words } })
const enter = (): boolean => fireEvent.keyDown(box(), { key: 'Enter' })
const note = (): string | null => screen.getAllByRole('status')[0]?.textContent ?? null

describe('a composer while one question waits for a text', () => {
  it('says that it answers, with the question as its description', () => {
    show(chatWith(QUESTION), <Composer placeholder="Ask about rivers" />)
    expect(screen.getByRole('textbox', { name: 'Your reply to the question', description: 'Which river?' })).toBe(box())
    expect(box().placeholder).toBe('Type your reply…')
    expect(screen.getByRole('button', { name: 'Send reply' })).toBeTruthy()
  })

  it.each([
    ['German', german, 'Antwort auf die Frage', 'Antwort eingeben…', 'Antwort senden'],
    ['Chinese', chinese, '对问题的回答', '输入回答…', '发送回答'],
    ['Arabic', arabic, 'إجابتك عن السؤال', 'اكتب إجابتك…', 'إرسال الإجابة'],
  ])('says so in %s', (_, strings, label, placeholder, send) => {
    show(
      chatWith(QUESTION),
      <DictionaryProvider strings={strings}>
        <Composer />
      </DictionaryProvider>,
    )
    expect(screen.getByRole('textbox', { name: label })).toHaveProperty('placeholder', placeholder)
    expect(screen.getByRole('button', { name: send })).toBeTruthy()
  })

  it.each([
    ['of a form with one field', QUESTION, { reply: 'the Loire' }],
    ['that is a text itself', { ...QUESTION, schema: { type: 'string', title: 'River', minLength: 1 } }, 'the Loire'],
    ['inside of its run', { ...QUESTION, answeredBy: 'command' } as const, { reply: 'the Loire' }],
  ])('sends the text once, as the answer to a question %s', async (_, prompt, value) => {
    const chat = chatWith(prompt)
    show(chat, <Composer whenBusy="say" />)
    write('  the Loire ')
    enter()
    enter()
    fireEvent.submit(screen.getByRole('form'))
    await settle()
    expect(chat.used).toEqual([['answer', ['q-1', { type: 'value', value }]]])
    expect(box().value).toBe('')
  })

  it('sends messages again when the question is answered', async () => {
    const chat = chatWith(QUESTION)
    show(chat, <Composer />)
    const { messages } = chatWith({ ...QUESTION, state: 'answered' }).getSnapshot()
    act(() => chat.set({ messages, status: 'ready' }))
    expect(screen.getByRole('textbox', { name: 'Message' })).toBe(box())
    write('And the Elbe?')
    enter()
    await settle()
    expect(chat.used).toEqual([['sendMessage', 'And the Elbe?']])
  })

  const REFUSED = new AgentError({ kind: 'runtime', code: 'busy', severity: 'FATAL', message: 'Busy.' })
  it.each([
    ['refused', { status: 'refused', error: REFUSED }],
    ['too late', { status: 'too-late' }],
    ['invalid', { status: 'invalid', errors: [{ path: '', message: 'No such river.' }] }],
  ] satisfies [string, AnswerResult][])('gives the text back when the answer is %s', async (_, result) => {
    const chat = Object.assign(chatWith(QUESTION), { answer: async () => result })
    show(chat, <Composer />)
    write('the Loire')
    enter()
    await settle()
    expect(box().value).toBe('the Loire')
    expect(note()).not.toBe('')
  })

  it('keeps the box empty when nobody knows whether the answer arrived: it is repeated at the question', async () => {
    const chat = Object.assign(chatWith(QUESTION), {
      answer: async (): Promise<AnswerResult> => ({ status: 'unconfirmed', error: REFUSED }),
    })
    show(chat, <Composer />)
    write('the Loire')
    enter()
    await settle()
    expect(box().value).toBe('')
  })
})

describe('a composer sends a message, and no answer,', () => {
  const ask = (schema: Prompt['schema'], change: Partial<Prompt> = {}): Prompt[] => [{ ...QUESTION, schema, ...change }]
  const field = (schema: object, name = 'reply') => ({ type: 'object', properties: { [name]: schema } })
  it.each([
    ...Object.entries(PROMPTS).map(([kind, prompt]): [string, Prompt[]] => [
      `while a prompt of kind ${kind} waits`,
      [prompt],
    ]),
    [
      'while a form waits that is about a tool',
      ask(QUESTION.schema, { subject: { name: 'pay', input: {}, digest: 'd' } }),
    ],
    ['while two questions wait', [QUESTION, { ...QUESTION, id: 'q-2' }]],
    ['while a consent waits beside the question', [QUESTION, PROMPTS.approval]],
    ['while the answer is on its way', ask(QUESTION.schema, { state: 'sending' })],
    ['when a number is asked for', ask(field({ type: 'number' }))],
    ['when the text has a pattern', ask(field({ type: 'string', pattern: '^R' }))],
    ['when the text is one of several', ask(field({ type: 'string', enum: ['Loire', 'Elbe'] }))],
    [
      'when there are two fields',
      ask({ type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } } }),
    ],
    ['when a password is asked for', ask(field({ type: 'string' }, 'password'))],
    ['when a key is asked for by its title', ask(field({ type: 'string', title: 'API key' }))],
    ['when a token is asked for in words', ask(QUESTION.schema, { message: 'What is your access token?' })],
    ['when the schema is unknown', ask(undefined)],
  ])('%s', async (_, prompts) => {
    const chat = chatWith(...prompts)
    show(chat, <Composer />)
    expect(screen.getByRole('textbox', { name: 'Message' })).toBe(box())
    write('Yes, do it.')
    enter()
    await settle()
    expect(chat.used).toEqual([['sendMessage', 'Yes, do it.']])
  })

  it('with files, which an answer cannot carry', async () => {
    const chat = chatWith(QUESTION)
    show(chat, <Composer onAttach={async ({ name }) => ({ id: name })} />)
    const input = document.querySelector('input[type=file]')
    if (input) fireEvent.change(input, { target: { files: [new File(['x'], 'a.txt')] } })
    await settle()
    expect(screen.getByRole('textbox', { name: 'Message' })).toBe(box())
    write('See this.')
    enter()
    await settle()
    expect(chat.used).toMatchObject([['sendMessage', { text: 'See this.' }]])
  })
})

describe('a chat with an A2A agent that asks for a text', () => {
  keepServerQuiet()

  it('is answered in the composer, and the answer goes to the task that asked', async () => {
    const agent = await serveSdkAgent()
    const chat = createChat({ client: () => A2AClient.fromUrl(agent.url), conversationId: 'c1' })
    onTestFinished(() => void chat.dispose())
    render(<Chat chat={chat} />)
    write('ask')
    enter()
    await screen.findByRole('textbox', { name: 'Your reply to the question', description: 'Which river?' })
    write('the Loire')
    enter()
    expect(await screen.findByText('You said the Loire.')).toBeTruthy()
    expect(await screen.findByRole('textbox', { name: 'Message' })).toBe(box())
    const [question, answered] = agent.calls.filter(({ messageId }) => messageId !== undefined)
    expect([question?.method, answered?.method]).toEqual(['SendStreamingMessage', 'SendStreamingMessage'])
    expect(agent.runs).toBe(2)
  })
})
