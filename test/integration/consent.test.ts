import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CapClient } from '../../src/index.ts'
import type { Prompt } from '../../src/seam/prompt.ts'
import type { Agent, AgentRun } from '../../src/server.ts'
import { createAgentHandler, memoryEventLog } from '../../src/server.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { createChat } from '../../src/state/chat.ts'
import { promptsOf } from '../../src/state/prompts.ts'

const CONVERSATION = '0b0e9a53-66a1-4a4b-8f5e-0a4f7f7f0c11'

type Respond = (http: Request) => Promise<Response>

/** What the network does with a request: passes it on, unless a test says otherwise. */
let network: (http: Request, respond: Respond) => Promise<Response>

beforeEach(() => {
  network = (http, respond) => respond(http)
})

function serve(agent: Agent): Respond {
  return createAgentHandler({ agent, log: memoryEventLog() })
}

function chatWith(handler: Respond, from?: ReturnType<CapturableChat['capture']>): CapturableChat {
  const client = new CapClient({
    baseUrl: 'https://agent.test',
    fetch: (url, init) => network(new Request(url, init), handler),
    environment: { random: () => 0 },
  })
  return createChat({ client: () => client, conversationId: CONVERSATION, initialState: from })
}

async function until(is: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(is()).toBe(true), { interval: 2, timeout: 5_000 })
}

const prompts = (chat: ChatInstance): readonly Prompt[] => chat.getSnapshot().messages.flatMap(promptsOf)
const open = (chat: ChatInstance): Prompt => {
  const prompt = prompts(chat).find(({ state }) => state === 'open')
  if (prompt === undefined) throw new Error('No prompt is open.')
  return prompt
}

/** An agent that sends a mail if it may, and counts what it did. */
function mailer(): { readonly agent: Agent; readonly sent: unknown[]; readonly outcomes: string[] } {
  const sent: unknown[] = []
  const outcomes: string[] = []
  return {
    sent,
    outcomes,
    async *agent(_request, run) {
      yield 'One moment. '
      const answer = await run.ask({
        kind: 'approval',
        message: 'May I send the mail?',
        subject: {
          name: 'send_mail',
          input: { to: 'Ann', text: 'Hello' },
          editable: { type: 'object', properties: { to: { type: 'string' } } },
        },
      })
      outcomes.push(answer.type)
      if (answer.type === 'allowed') sent.push(answer.input)
      yield answer.type === 'allowed' ? 'It is sent.' : 'Then not.'
    },
  }
}

describe('an approval', () => {
  it('is asked, allowed and done, once', async () => {
    const { agent, sent } = mailer()
    const chat = chatWith(serve(agent))
    const done = chat.sendMessage('Write to Ann')
    await until(() => chat.getSnapshot().status === 'awaiting-input')
    const { id, options, subject } = open(chat)
    expect(subject).toMatchObject({ name: 'send_mail', input: { to: 'Ann', text: 'Hello' } })
    const optionId = options?.find(({ kind }) => kind === 'allow-once')?.id ?? ''
    expect(await chat.answer(id, { type: 'option', optionId, digest: subject?.digest })).toEqual({ status: 'accepted' })
    await done
    expect(sent).toEqual([{ to: 'Ann', text: 'Hello' }])
    expect(prompts(chat).map(({ state }) => state)).toEqual(['answered'])
    expect(chat.getSnapshot().messages[1]).toMatchObject({ status: 'complete' })
  })

  it('is done with the input as the user changed it, and only where it may be changed', async () => {
    const { agent, sent } = mailer()
    const chat = chatWith(serve(agent))
    const done = chat.sendMessage('Write to Ann')
    await until(() => chat.getSnapshot().status === 'awaiting-input')
    const { id, options, subject } = open(chat)
    const allow = { type: 'option', optionId: options?.[0]?.id ?? '', digest: subject?.digest } as const
    expect(await chat.answer(id, { ...allow, edits: { to: 'Bob', text: 'Send money' } })).toMatchObject({
      status: 'invalid',
    })
    expect(open(chat).errors?.length).toBeGreaterThan(0)
    expect(await chat.answer(id, { ...allow, edits: { to: 'Bob', text: 'Hello' } })).toEqual({ status: 'accepted' })
    await done
    expect(sent).toEqual([{ to: 'Bob', text: 'Hello' }])
  })

  it('that is declined is not done', async () => {
    const { agent, sent, outcomes } = mailer()
    const chat = chatWith(serve(agent))
    const done = chat.sendMessage('Write to Ann')
    await until(() => chat.getSnapshot().status === 'awaiting-input')
    await chat.answer(open(chat).id, { type: 'decline', reason: 'Not today' })
    await done
    expect(sent).toEqual([])
    expect(outcomes).toEqual(['declined'])
  })

  it('whose confirmation is lost is sent again under the same id, and done once', async () => {
    const { agent, sent } = mailer()
    const posted: unknown[] = []
    network = async (http, respond) => {
      if (!http.url.endsWith('/answer')) return respond(http)
      posted.push(await http.clone().json())
      const response = await respond(http)
      if (posted.length === 1) throw new TypeError('The response was lost.')
      return response
    }
    const chat = chatWith(serve(agent))
    const done = chat.sendMessage('Write to Ann')
    await until(() => chat.getSnapshot().status === 'awaiting-input')
    const { id, options, subject } = open(chat)
    const answered = chat.answer(id, { type: 'option', optionId: options?.[0]?.id ?? '', digest: subject?.digest })
    expect(await answered).toEqual({ status: 'accepted' })
    await done
    expect(posted).toHaveLength(2)
    expect(posted[1]).toEqual(posted[0])
    expect(sent).toHaveLength(1)
  })

  it('answered by another device is answered elsewhere here, and done once', async () => {
    const { agent, sent } = mailer()
    const handler = serve(agent)
    const here = chatWith(handler)
    void here.sendMessage('Write to Ann')
    await until(() => here.getSnapshot().status === 'awaiting-input')
    const there = chatWith(handler, here.capture())
    void there.resume()
    await until(() => there.getSnapshot().connection.phase === 'streaming')
    const { id, options, subject } = open(there)
    const answer = { type: 'option', optionId: options?.[0]?.id ?? '', digest: subject?.digest } as const
    expect(await there.answer(id, answer)).toEqual({ status: 'accepted' })
    await until(() => here.getSnapshot().status === 'ready')
    expect(prompts(here).map(({ state }) => state)).toEqual(['answered-elsewhere'])
    expect(await here.answer(id, answer)).toEqual({ status: 'too-late' })
    expect(sent).toHaveLength(1)
    await there.dispose()
  })
})

describe('a stop', () => {
  function worker(): { readonly agent: Agent; readonly runs: AgentRun[]; readonly steps: number[] } {
    const runs: AgentRun[] = []
    const steps: number[] = []
    return {
      runs,
      steps,
      async *agent(_request, run) {
        runs.push(run)
        for (let step = 1; ; step++) {
          steps.push(step)
          yield `${step} `
          await run.sleep(5)
        }
      },
    }
  }

  it('ends the work of the agent, and every device hears that it was cancelled', async () => {
    const { agent, runs, steps } = worker()
    const handler = serve(agent)
    const here = chatWith(handler)
    void here.sendMessage('Count')
    await until(() => here.getSnapshot().status === 'streaming')
    const there = chatWith(handler, here.capture())
    void there.resume()
    await until(() => there.getSnapshot().connection.phase === 'streaming')
    expect(await here.stop()).toBe('cancelled')
    expect(runs[0]?.signal.aborted).toBe(true)
    const done = steps.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(steps).toHaveLength(done)
    expect(here.getSnapshot().messages[1]).toMatchObject({ status: 'stopped', stop: 'cancelled' })
    await until(() => there.getSnapshot().status === 'ready')
    expect(there.getSnapshot().messages[1]).toMatchObject({ status: 'stopped', stop: 'cancelled' })
  })

  it('at a server without control endpoints is left', async () => {
    const { agent } = worker()
    const handler = serve(agent)
    network = async (http, respond) => {
      const response = await respond(http)
      const headers = new Headers(response.headers)
      headers.delete('cap-control')
      return new Response(response.body, { status: response.status, headers })
    }
    const chat = chatWith(handler)
    void chat.sendMessage('Count')
    await until(() => chat.getSnapshot().status === 'streaming')
    expect(await chat.stop()).toBe('left')
  })

  it('withdraws what the agent has asked', async () => {
    const { agent, sent } = mailer()
    const chat = chatWith(serve(agent))
    void chat.sendMessage('Write to Ann')
    await until(() => chat.getSnapshot().status === 'awaiting-input')
    expect(await chat.stop()).toBe('cancelled')
    expect(prompts(chat).map(({ state }) => state)).toEqual(['withdrawn'])
    expect(sent).toEqual([])
  })
})

describe('a word into the answer', () => {
  it('is heard by the agent, and is in the answer once', async () => {
    const heard: string[] = []
    const chat = chatWith(
      serve(async function* (_request, run) {
        yield 'North and south. '
        for await (const { text } of run.inbox) {
          heard.push(text)
          break
        }
        yield 'North only.'
      }),
    )
    const done = chat.sendMessage('Where?')
    await until(() => chat.getSnapshot().status === 'streaming')
    expect(await chat.say('Only the north')).toEqual({ status: 'accepted' })
    await done
    expect(heard).toEqual(['Only the north'])
    expect(
      chat.getSnapshot().messages[1]?.parts.map((part) => ('text' in part ? `${part.type} ${part.text}` : part.type)),
    ).toEqual(['text North and south. ', 'said Only the north', 'text North only.'])
  })
})
