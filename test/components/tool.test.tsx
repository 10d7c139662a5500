// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { StandardSchema } from '../../src/base/standard-schema.ts'
import { Chat } from '../../src/components/chat.tsx'
import { MessageList } from '../../src/components/message-list/message-list.tsx'
import { Message } from '../../src/components/message/message.tsx'
import type { PartialInput, ToolViewProps } from '../../src/components/tool.tsx'
import { tool } from '../../src/components/tool.tsx'
import { ChatContext } from '../../src/react/chat-context.ts'
import type { MessagePart } from '../../src/state/turn.ts'
import { promptOf } from '../support/prompts.ts'
import type { FakeChat } from './fake-chat.ts'
import { answer, createFakeChat } from './fake-chat.ts'
import { hearCaughtErrors, settle, show } from './show.tsx'

const schema = z.object({ place: z.string(), days: z.array(z.object({ at: z.number() })).default([]) })
type Input = z.infer<typeof schema>
type Call = Extract<MessagePart, { readonly type: 'tool-call' }>

const call = (change: Partial<Call>): Call => ({
  type: 'tool-call',
  id: 'c1',
  name: 'weather',
  status: 'running',
  ...change,
})

function Weather({ state, input, partial, output, live }: ToolViewProps<Input>): ReactNode {
  const place = (input ?? partial)?.place
  return <p data-testid="view">{`${state} ${place} ${JSON.stringify(output)} ${live}`}</p>
}

const chatWith = (...parts: readonly MessagePart[]): FakeChat =>
  createFakeChat({ status: 'streaming', messages: [answer('a', parts, { status: 'streaming' })] })
const view = (): string | null | undefined => screen.queryByTestId('view')?.textContent
/** The row that capstan shows for a tool. */
const row = (): Element | null => document.querySelector('.cs-fold')

describe('a tool with a view of the app', () => {
  const tools = { weather: tool(schema, Weather) }

  it.each([
    [{ status: 'preparing' }, 'preparing undefined undefined true'],
    [{ status: 'preparing', partialInput: '{"place":"Bri' }, 'preparing Bri undefined true'],
    [{ status: 'running', input: { place: 'Bristol' } }, 'running Bristol undefined true'],
    [{ status: 'waiting', input: { place: 'Bristol' } }, 'waiting Bristol undefined true'],
    [{ status: 'complete', input: { place: 'Bristol' }, output: { c: 9 } }, 'complete Bristol {"c":9} true'],
    [{ status: 'failed', input: { place: 'Bristol' }, output: 'no station' }, 'failed Bristol "no station" true'],
    [{ status: 'denied', input: { place: 'Bristol' } }, 'denied Bristol undefined true'],
  ] as const)('gets the state of the call: %j', (change, expected) => {
    show(chatWith(call(change)), <Message messageId="a" tools={tools} />)
    expect(view()).toBe(expected)
    expect(row()).toBeNull()
  })

  it('is told when the answer has ended before the tool did', () => {
    const chat = chatWith(call({ input: { place: 'Bristol' } }))
    show(chat, <Message messageId="a" tools={tools} />)
    act(() => chat.change('a', { status: 'stopped' }))
    expect(view()).toBe('running Bristol undefined false')
  })

  it('is the one of its tool in a list and in a whole chat, and other tools are rows', () => {
    const chat = chatWith(call({ input: { place: 'Bristol' } }), call({ id: 'c2', name: 'toString', input: {} }))
    const { unmount } = show(chat, <MessageList tools={tools} />)
    expect(view()).toBe('running Bristol undefined true')
    expect(row()?.textContent).toContain('Running toString')
    unmount()
    show(chat, <Chat chat={chat} tools={tools} />)
    expect(view()).toBe('running Bristol undefined true')
  })

  it('gets the value that the schema makes of the input', () => {
    const inputs: (Input | undefined)[] = []
    const seen = tool(schema, ({ input }: ToolViewProps<Input>) => {
      inputs.push(input)
      return null
    })
    show(chatWith(call({ input: { place: 'Bristol', extra: 1 } })), <Message messageId="a" tools={{ weather: seen }} />)
    expect(inputs.at(-1)).toEqual({ place: 'Bristol', days: [] })
  })

  it('gets the partial input, in which complete items keep their identity', () => {
    const days: (readonly unknown[])[] = []
    const seen = tool(schema, ({ partial }: ToolViewProps<Input>) => {
      days.push(partial?.days ?? [])
      return null
    })
    const text = '{"place":"Bristol","days":[{"at":1},{"at":2}]}'
    const chat = chatWith(call({ status: 'preparing', partialInput: '' }))
    show(chat, <Message messageId="a" tools={{ weather: seen }} />)
    for (const end of [36, 40, 44, text.length])
      act(() => chat.change('a', { parts: [call({ status: 'preparing', partialInput: text.slice(0, end) })] }))
    expect(days.at(-1)).toEqual([{ at: 1 }, { at: 2 }])
    const first = days.map(([day]) => day).filter((day) => day !== undefined)
    expect(first.length).toBeGreaterThan(3)
    expect(new Set(first).size).toBe(1)
  })
})

describe('an input that does not fit the schema', () => {
  it.each([
    ['is of another kind', schema as StandardSchema<Input>],
    [
      'makes the schema throw',
      {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: () => {
            throw new Error('no schema')
          },
        },
      } as StandardSchema<Input>,
    ],
  ])('is shown as a row when it %s', (_, checks) => {
    const tools = { weather: tool(checks, Weather) }
    show(chatWith(call({ status: 'complete', input: { place: 7 } })), <Message messageId="a" tools={tools} />)
    expect(view()).toBeUndefined()
    expect(row()?.textContent).toContain('Used weather')
  })

  it('and one that never came complete are rows', () => {
    const tools = { weather: tool(schema, Weather) }
    show(chatWith(call({ status: 'failed', partialInput: '{"pl' })), <Message messageId="a" tools={tools} />)
    expect(row()?.textContent).toContain('weather failed')
  })
})

describe('a schema that answers later', () => {
  const later = (
    answers: (value: unknown) => Promise<never> | Promise<{ readonly value: Input }>,
  ): StandardSchema<Input> => ({ '~standard': { version: 1, validate: answers } }) as const

  it('leaves the row until it has answered', async () => {
    const tools = {
      weather: tool(
        later(async () => ({ value: { place: 'Bath', days: [] } })),
        Weather,
      ),
    }
    show(chatWith(call({ input: {} })), <Message messageId="a" tools={tools} />)
    expect(row()).not.toBeNull()
    await settle()
    expect(view()).toBe('running Bath undefined true')
    expect(row()).toBeNull()
  })

  it('leaves it for good when it rejects', async () => {
    const tools = {
      weather: tool(
        later(() => Promise.reject(new Error('gone'))),
        Weather,
      ),
    }
    show(chatWith(call({ input: {} })), <Message messageId="a" tools={tools} />)
    await settle()
    expect(view()).toBeUndefined()
    expect(row()).not.toBeNull()
  })
})

describe('a view that throws', () => {
  it('is shown as a row, and the other tools and the answer stay', () => {
    const { options, caught } = hearCaughtErrors()
    const failure = new Error('no chart')
    const tools = {
      weather: tool(schema, () => {
        throw failure
      }),
      gauge: tool(schema, Weather),
    }
    const chat = chatWith(
      call({ input: { place: 'Bristol' } }),
      call({ id: 'c2', name: 'gauge', input: { place: 'Bath' } }),
    )
    render(
      <ChatContext.Provider value={chat}>
        <Message messageId="a" tools={tools} />
      </ChatContext.Provider>,
      options,
    )
    expect(caught).toContain(failure)
    expect(row()?.textContent).toContain('Running weather')
    expect(screen.getByText('Couldn’t display this content')).toBeTruthy()
    expect(view()).toBe('running Bath undefined true')
  })
})

describe('approval inside of the view', () => {
  const prompt = promptOf({
    id: 'p1',
    kind: 'approval',
    subject: { toolCallId: 'c1', name: 'weather', input: { place: 'Bristol' }, digest: 'd1' },
    options: [{ id: 'yes', label: 'Allow', kind: 'allow-once' }],
  })
  function Ask({ approval, toolCallId }: ToolViewProps<Input>): ReactNode {
    if (approval === undefined) return <p>nothing to allow</p>
    return (
      <button type="button" onClick={() => void approval.choose('yes')}>
        Allow {toolCallId}: {approval.prompt.state}
      </button>
    )
  }
  const tools = { weather: tool(schema, Ask) }
  const waiting = call({ status: 'waiting', input: { place: 'Bristol' } })

  it('answers for exactly what the prompt shows', () => {
    const chat = chatWith(waiting, { type: 'prompt', id: 'p1', prompt })
    show(chat, <Message messageId="a" tools={tools} />)
    fireEvent.click(screen.getByRole('button', { name: 'Allow c1: open' }))
    expect(chat.used).toEqual([['answer', ['p1', { type: 'option', optionId: 'yes', digest: 'd1' }]]])
  })

  it('follows the prompt', () => {
    const chat = chatWith(waiting)
    show(chat, <Message messageId="a" tools={tools} />)
    expect(screen.getByText('nothing to allow')).toBeTruthy()
    act(() => chat.change('a', { parts: [waiting, { type: 'prompt', id: 'p1', prompt }] }))
    expect(screen.getByRole('button', { name: 'Allow c1: open' })).toBeTruthy()
    act(() =>
      chat.change('a', { parts: [waiting, { type: 'prompt', id: 'p1', prompt: { ...prompt, state: 'expired' } }] }),
    )
    expect(screen.getByRole('button', { name: 'Allow c1: expired' })).toBeTruthy()
  })

  it('is not that of another call, nor of a call with the same id in another message', () => {
    const other = { ...prompt, subject: { name: 'weather', input: {}, digest: 'd2', toolCallId: 'c9' } }
    const chat = createFakeChat({
      messages: [
        answer('before', [call({}), { type: 'prompt', id: 'p1', prompt }]),
        answer('a', [waiting, { type: 'prompt', id: 'p2', prompt: { ...other, id: 'p2' } }]),
      ],
    })
    show(chat, <Message messageId="a" tools={tools} />)
    expect(screen.getByText('nothing to allow')).toBeTruthy()
  })
})

describe('the types of a tool', () => {
  it('come from the schema: the input is there unless it is still coming', () => {
    function inputOf(props: ToolViewProps<Input>): Input | undefined {
      if (props.state === 'preparing') expectTypeOf(props.partial).toEqualTypeOf<PartialInput<Input> | undefined>()
      else expectTypeOf(props.input).toEqualTypeOf<Input>()
      return props.input
    }
    const base = { name: 'weather', toolCallId: 'c1', live: true }
    expect(inputOf({ ...base, state: 'running', input: { place: 'Bath', days: [] } })).toEqual({
      place: 'Bath',
      days: [],
    })
    expect(inputOf({ ...base, state: 'preparing', partial: { days: [{}] } })).toBeUndefined()
    // @ts-expect-error A view for another input does not fit the schema.
    expect(tool(schema, ({ name }: ToolViewProps<{ readonly place: number }>) => name)).toHaveProperty('render')
  })
})
