import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import { loadCommandsModule, createChat } from '../../src/state/chat.ts'
import type { ChatInput } from '../../src/seam/chat-input.ts'
import type { CommandResult } from '../../src/seam/command.ts'
import type { Prompt, PromptAnswer } from '../../src/seam/prompt.ts'
import type { AgentClient, StopResult } from '../../src/session/agent-client.ts'
import type { ChatSnapshot } from '../../src/state/chat-snapshot.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { promptsOf } from '../../src/state/prompts.ts'
import { settle } from '../support/manual-clock.ts'
import type { ManualEnvironment } from '../support/manual-environment.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { promptOf } from '../support/prompts.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, delivery, failure } from '../support/scripted-peer.ts'

const YES: PromptAnswer = { type: 'option', optionId: 'yes' }

let environment: ManualEnvironment
let peer: ScriptedPeer
let chat: CapturableChat
let client: AgentClient<string>
/** What making a request fails with. */
let requestFault: Error | undefined
let results: (CommandResult | Error | Promise<CommandResult>)[]
let inputs: ChatInput[]

// Loaded on demand; loaded before, only promises are between.
beforeAll(loadCommandsModule)

beforeEach(() => {
  environment = createManualEnvironment()
  results = []
  inputs = []
  peer = createScriptedPeer({
    canAct: true,
    onCommand: () => {
      const result = results.shift() ?? { result: 'accepted' }
      if (result instanceof Error) throw result
      return result
    },
  })
  requestFault = undefined
  client = {
    protocol: peer.protocol,
    retry: backoff({ maxAttempts: 2 }),
    timeoutMs: 60_000,
    environment,
    createRequest(input) {
      inputs.push(input)
      if (requestFault !== undefined) throw requestFault
      return input.text
    },
  }
  chat = createChat({ client: () => client, conversationId: 'c1' })
})

afterEach(() => chat.dispose())

const shown = (): readonly Prompt[] => chat.getSnapshot().messages.flatMap(promptsOf)
const states = (): unknown[] => shown().map(({ state }) => state)
const status = (): unknown => chat.getSnapshot().status
const answers = (): unknown[] => peer.commands.filter(({ type }) => type === 'answer')

async function ask(...prompts: readonly Prompt[]): Promise<void> {
  void chat.sendMessage('Go')
  await settle()
  for (const [index, prompt] of prompts.entries()) peer.connection.event(index + 1, { type: 'prompt', prompt })
  await settle()
}

describe('a prompt that is answered inside of the run', () => {
  it('is a part of the answer, and the chat waits for the user', async () => {
    await ask(promptOf())
    expect(states()).toEqual(['open'])
    expect(status()).toBe('awaiting-input')
  })

  it('is answered once, under an id of the answer, and the run continues', async () => {
    await ask(promptOf())
    let told = (_result: CommandResult): void => {}
    results = [new Promise((resolve) => (told = resolve))]
    const answered = chat.answer('p1', YES)
    await settle()
    expect(states()).toEqual(['sending'])
    expect(status()).toBe('streaming')
    told({ result: 'accepted' })
    expect(await answered).toEqual({ status: 'accepted' })
    expect(states()).toEqual(['answered'])
    expect(answers()).toEqual([expect.objectContaining({ promptId: 'p1', answer: YES })])
    expect(await chat.answer('p1', YES)).toEqual({ status: 'too-late' })
    expect(answers()).toHaveLength(1)
  })

  it('is declined', async () => {
    await ask(promptOf())
    await chat.answer('p1', { type: 'decline', reason: 'Not now' })
    expect(states()).toEqual(['declined'])
  })

  it('is sent again under the same id until the agent confirms it', async () => {
    await ask(promptOf())
    results = [failure(), failure(), { result: 'accepted' }]
    const answered = chat.answer('p1', YES)
    for (let round = 0; round < 3; round++) await environment.clock.advance(10_000)
    expect(await answered).toEqual({ status: 'accepted' })
    const ids = peer.commands.map((command) => command.type === 'answer' && command.answerId)
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(1)
  })

  it('is neither answered nor open when nobody knows, and the same answer again has the same id', async () => {
    await ask(promptOf())
    results = [failure(), failure(), failure()]
    const answered = chat.answer('p1', YES)
    for (let round = 0; round < 3; round++) await environment.clock.advance(10_000)
    expect(await answered).toMatchObject({ status: 'unconfirmed' })
    expect(states()).toEqual(['unconfirmed'])
    expect(status()).toBe('awaiting-input')
    await chat.answer('p1', YES)
    expect(new Set(peer.commands.map((command) => command.type === 'answer' && command.answerId)).size).toBe(1)
    expect(states()).toEqual(['answered'])
  })

  it('is open when the agent refuses the first attempt', async () => {
    await ask(promptOf())
    results = [failure({ severity: 'FATAL', code: 'unauthorized', status: 401 })]
    expect(await chat.answer('p1', YES)).toMatchObject({ status: 'refused', error: { code: 'unauthorized' } })
    expect(states()).toEqual(['open'])
  })

  it('is unconfirmed when the agent refuses an attempt after one that may have arrived, now or later', async () => {
    await ask(promptOf())
    const refusal = failure({ severity: 'FATAL', code: 'unauthorized', status: 401 })
    results = [failure(), refusal]
    const answered = chat.answer('p1', YES)
    await environment.clock.advance(10_000)
    expect(await answered).toMatchObject({ status: 'unconfirmed', error: { cause: { code: 'unauthorized' } } })
    expect(states()).toEqual(['unconfirmed'])
    results = [refusal]
    expect(await chat.answer('p1', YES)).toMatchObject({ status: 'unconfirmed', error: { code: 'unauthorized' } })
    expect(states()).toEqual(['unconfirmed'])
  })

  it('that was settled before is unconfirmed once the connection that would say how is abandoned', async () => {
    await ask(promptOf())
    results = [{ result: 'too-late' }]
    expect(await chat.answer('p1', YES)).toEqual({ status: 'too-late' })
    expect(states()).toEqual(['sending'])
    for (let attempt = 0; attempt < 3; attempt++) {
      peer.connection.fail(failure())
      await environment.clock.advance(60_000)
    }
    expect(status()).toBe('error')
    expect(states()).toEqual(['unconfirmed'])
    results = [{ result: 'too-late' }]
    // The agent has not taken the first one: it would have accepted it again.
    expect(await chat.answer('p1', YES)).toEqual({ status: 'too-late' })
    expect(states()).toEqual(['unconfirmed'])
    void chat.resume()
    await settle()
    peer.connection.event(2, { type: 'prompt-settled', streamId: 's1', promptId: 'p1', state: 'expired' })
    await settle()
    expect(states()).toEqual(['expired'])
  })

  it('is sent once more as lost when an attempt is never answered', async () => {
    await ask(promptOf())
    const silent = new Promise<CommandResult>(() => {})
    peer.protocol.act = async ({ type }) => (type === 'answer' ? silent : { result: 'accepted' })
    const answered = chat.answer('p1', YES)
    for (let round = 0; round < 8; round++) await environment.clock.advance(10_000)
    expect(await answered).toMatchObject({ status: 'unconfirmed', error: { code: 'timeout' } })
  })

  it('is open again with the errors of the agent', async () => {
    await ask(promptOf({ kind: 'form', schema: {}, options: undefined }))
    const errors = [{ path: '/age', message: 'Too young' }]
    results = [{ result: 'invalid', errors }]
    expect(await chat.answer('p1', { type: 'value', value: { age: 3 } })).toEqual({ status: 'invalid', errors })
    expect(shown()).toMatchObject([{ state: 'open', errors }])
    await chat.answer('p1', { type: 'value', value: { age: 30 } })
    expect(shown()).toMatchObject([{ state: 'answered', errors: undefined }])
  })

  it('is not answered for an option, or a subject, that was not shown', async () => {
    await ask(promptOf({ subject: { name: 'send', input: 1, digest: 'd1' } }))
    for (const answer of [{ ...YES, optionId: 'always', digest: 'd1' }, { ...YES, digest: 'd0' }, YES] as const)
      expect(await chat.answer('p1', answer)).toMatchObject({ status: 'refused', error: { code: 'invalid_request' } })
    expect(answers()).toEqual([])
    expect(await chat.answer('p1', { ...YES, digest: 'd1' })).toEqual({ status: 'accepted' })
  })

  it('of a kind that is not known can only be declined', async () => {
    await ask(promptOf({ kind: 'other' }))
    expect(await chat.answer('p1', { type: 'value', value: 1 })).toMatchObject({ status: 'refused' })
    expect(await chat.answer('p1', { type: 'decline' })).toEqual({ status: 'accepted' })
  })

  it('is taken back to open where the agent takes no answers', async () => {
    await ask(promptOf())
    results = [{ result: 'unsupported' }]
    expect(await chat.answer('p1', YES)).toMatchObject({ status: 'refused' })
    expect(states()).toEqual(['open'])
  })

  it('settled by another device shows so, and is not answered again', async () => {
    await ask(promptOf())
    peer.connection.event(2, {
      type: 'prompt-settled',
      streamId: 's1',
      promptId: 'p1',
      state: 'answered',
      answerId: 'theirs',
    })
    await settle()
    expect(states()).toEqual(['answered-elsewhere'])
    expect(await chat.answer('p1', YES)).toEqual({ status: 'too-late' })
    expect(answers()).toEqual([])
  })

  it.each([
    [{ result: 'accepted' }, 'accepted', 'answered'],
    [{ result: 'too-late' }, 'too-late', 'withdrawn'],
    [{ result: 'too-late', end: 'answered', answerId: 'theirs' }, 'too-late', 'answered-elsewhere'],
  ] as const)('whose run ends before its answer is confirmed shows what %o means', async (result, status, state) => {
    await ask(promptOf())
    let told = (_result: CommandResult): void => {}
    peer.protocol.act = async ({ type }) =>
      type === 'answer' ? new Promise((resolve) => (told = resolve)) : { result: 'accepted' }
    const answered = chat.answer('p1', YES, 'a1')
    await settle()
    peer.connection.event(2, {
      type: 'stream-failed',
      streamId: 's1',
      error: failure({ severity: 'FATAL', kind: 'runtime' }),
    })
    await settle()
    expect(states()).toEqual(['sending'])
    told(result)
    expect(await answered).toEqual({ status })
    await settle()
    expect(states()).toEqual([state])
    // The same answer once more has the same result.
    expect(await chat.answer('p1', YES, 'a1')).toEqual({ status })
    expect(states()).toEqual([state])
  })

  it('holds the queue, which continues after the run', async () => {
    await ask(promptOf())
    expect(await chat.sendMessage('Next', { whenBusy: 'queue' })).toEqual({ status: 'queued' })
    await chat.answer('p1', YES)
    expect(peer.connections).toHaveLength(1)
    peer.connection.close(2)
    await settle()
    expect(peer.connection.opening.request).toBe('Next')
  })
})

describe('a prompt of a run that broke', () => {
  async function breakRun(): Promise<void> {
    await ask(promptOf())
    peer.connection.say(2, 'Well')
    await settle()
    peer.connection.fail(failure({ severity: 'FATAL', code: 'truncated' }))
    await settle()
  }

  it('is answered with what the protocol remembers of that run, when another is the latest', async () => {
    await breakRun()
    void chat.sendMessage('And now?')
    await settle()
    const answered = chat.answer('p1', YES)
    expect(await answered).toEqual({ status: 'accepted' })
    expect(states()).toEqual(['answered'])
    const sent = peer.commands.find(({ type }) => type === 'answer')
    expect(sent?.requestId).toBe(chat.getSnapshot().messages[1]?.requestId)
    expect(sent).toHaveProperty('handle', chat.getSnapshot().messages[1]?.handle)
    expect(sent?.handle).toBeDefined()
  })

  it('keeps its answer on its way when the user stops the run, and shows what became of it', async () => {
    await ask(promptOf())
    let told = (_result: CommandResult): void => {}
    peer.protocol.act = async ({ type }) =>
      type === 'answer' ? new Promise((resolve) => (told = resolve)) : { result: 'accepted' }
    const answered = chat.answer('p1', YES)
    await settle()
    expect(await chat.stop()).toBe('cancelled')
    expect(states()).toEqual(['sending'])
    told({ result: 'accepted' })
    expect(await answered).toEqual({ status: 'accepted' })
    expect(states()).toEqual(['answered'])
  })

  it.each<[string, CommandResult | Error, string]>([
    ['refuses', failure({ severity: 'FATAL' }), 'refused'],
    ['finds invalid', { result: 'invalid', errors: [] }, 'invalid'],
    ['takes no longer', { result: 'unsupported' }, 'refused'],
  ])(
    'is withdrawn, and not open again, when the agent %s an answer that a stop has overtaken',
    async (_, told, status) => {
      await ask(promptOf())
      let reply = (): void => {}
      peer.protocol.act = async ({ type }) =>
        type === 'answer'
          ? new Promise((resolve, reject) => (reply = () => (told instanceof Error ? reject(told) : resolve(told))))
          : { result: 'accepted' }
      const answered = chat.answer('p1', YES)
      await settle()
      expect(await chat.stop()).toBe('cancelled')
      reply()
      expect(await answered).toMatchObject({ status })
      expect(states()).toEqual(['withdrawn'])
      expect(chat.getSnapshot().status).toBe('ready')
    },
  )

  it('is not answered once a subscriber has stopped the run', async () => {
    await ask(promptOf())
    const unsubscribe = chat.subscribe(() => void chat.stop())
    expect(await chat.answer('p1', YES)).toEqual({ status: 'too-late' })
    unsubscribe()
    expect(answers()).toEqual([])
    expect(states()).toEqual(['withdrawn'])
  })

  it('stays unconfirmed when the agent refuses to take the same answer again', async () => {
    await ask(promptOf())
    results = [failure(), failure(), failure()]
    const answered = chat.answer('p1', YES)
    await environment.clock.advance(60_000)
    expect(await answered).toMatchObject({ status: 'unconfirmed' })
    results = [{ result: 'unsupported' }]
    expect(await chat.answer('p1', YES)).toMatchObject({ status: 'unconfirmed' })
    expect(states()).toEqual(['unconfirmed'])
  })
})

describe('prompts that the run ends with', () => {
  const first = promptOf({ answeredBy: 'next-run' })
  const second = promptOf({ id: 'p2', answeredBy: 'next-run' })

  /** Every attempt of the connection fails. */
  async function breakOff(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      peer.connection.fail(failure())
      await environment.clock.advance(40_000)
    }
  }

  /** What the stop of a subscriber returns, at the first snapshot that the condition holds for. */
  function stopAtNextPublish(isDue: (snapshot: ChatSnapshot) => boolean): Promise<StopResult> {
    return new Promise((resolve) => {
      const leave = chat.subscribe(() => {
        if (!isDue(chat.getSnapshot())) return
        leave()
        void chat.stop().then(resolve)
      })
    })
  }

  async function end(...prompts: readonly Prompt[]): Promise<void> {
    await ask(...prompts)
    peer.connection.batch(
      delivery(prompts.length + 1, { type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' }),
    )
    await settle()
  }

  it('stay open after it, and nothing else is sent meanwhile', async () => {
    await end(first)
    expect(states()).toEqual(['open'])
    expect(status()).toBe('awaiting-input')
    expect(await chat.sendMessage('More')).toMatchObject({ status: 'refused', error: { code: 'busy' } })
    expect(await chat.sendMessage('More', { whenBusy: 'queue' })).toEqual({ status: 'queued' })
    expect(peer.connections).toHaveLength(1)
  })

  it('are answered together by the next run, which knows what it follows', async () => {
    await end(first, second)
    expect(await chat.answer('p1', YES)).toEqual({ status: 'staged' })
    expect(states()).toEqual(['staged', 'open'])
    expect(peer.connections).toHaveLength(1)
    let told: unknown
    void chat.answer('p2', { type: 'decline' }).then((result) => (told = result))
    await settle()
    expect(peer.connections).toHaveLength(2)
    expect(inputs.at(-1)).toMatchObject({
      text: '',
      answers: [
        { prompt: { id: 'p1' }, answer: YES },
        { prompt: { id: 'p2' }, answer: { type: 'decline' } },
      ],
    })
    expect(states()).toEqual(['sending', 'sending'])
    expect(told).toBeUndefined()
    peer.connection.alive()
    await settle()
    expect(told).toEqual({ status: 'accepted' })
    expect(states()).toEqual(['answered', 'declined'])
  })

  it('give the next run the handle of the one before', async () => {
    await ask(first)
    peer.connection.say(2, 'One moment.')
    peer.connection.event(3, { type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' })
    await settle()
    void chat.answer('p1', YES)
    await settle()
    expect(inputs.at(-1)?.after).toEqual({ lastEventId: 's1' })
    expect(inputs.at(-1)?.history?.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('are unconfirmed when the request with the answers never arrived, and are sent again under the same id', async () => {
    await end(first)
    const answered = chat.answer('p1', YES)
    await settle()
    const { requestId } = peer.connection.opening
    await breakOff()
    expect(await answered).toMatchObject({ status: 'unconfirmed', error: { code: 'network_error' } })
    expect(states()).toEqual(['unconfirmed'])
    const before = peer.connections.length
    const again = chat.answer('p1', YES)
    await settle()
    expect(peer.connections).toHaveLength(before + 1)
    expect(peer.connection.opening.requestId).toBe(requestId)
    expect(inputs.at(-1)?.answers).toHaveLength(1)
    peer.connection.alive()
    expect(await again).toEqual({ status: 'accepted' })
  })

  it('stay unconfirmed where the request that carries them again cannot be made', async () => {
    await end(first)
    void chat.answer('p1', YES)
    await settle()
    await breakOff()
    requestFault = new Error('No context.')
    expect(await chat.answer('p1', YES)).toMatchObject({ status: 'unconfirmed', error: { code: 'app_error' } })
    expect(states()).toEqual(['unconfirmed'])
  })

  it('are open again when nothing of the request that carries them was sent', async () => {
    await end(first)
    requestFault = new Error('No context.')
    expect(await chat.answer('p1', YES)).toMatchObject({ status: 'refused', error: { code: 'app_error' } })
    expect(shown()).toMatchObject([{ state: 'open', answerId: undefined }])
    requestFault = undefined
    const answered = chat.answer('p1', YES)
    await settle()
    peer.connection.alive()
    expect(await answered).toEqual({ status: 'accepted' })
  })

  it('are not cancelled by a stop before they are sent, while the agent waits for them', async () => {
    await end(first)
    const told = stopAtNextPublish(({ messages }) =>
      messages.flatMap(promptsOf).some(({ state }) => state === 'sending'),
    )
    results = [{ result: 'unsupported' }]
    expect(await chat.answer('p1', YES)).toMatchObject({ status: 'refused' })
    expect(await told).toBe('left')
    expect(states()).toEqual(['open'])
  })

  it('belong to the work that a stop of the run with them ends, also when it comes from a page that does not show the next run yet', async () => {
    await end(first)
    const asking = peer.connection.opening.requestId
    void chat.answer('p1', YES)
    await settle()
    results = [{ result: 'unsupported' }]
    expect(await chat.stopRun(asking)).toBe('left')
    expect(peer.connection.aborted).toBe(true)
    expect(peer.commands.at(-1)).toMatchObject({ type: 'cancel', requestId: peer.connection.opening.requestId })
  })

  it('are unconfirmed when the user stops the run that carries them before the agent has answered', async () => {
    await end(first)
    const answered = chat.answer('p1', YES)
    await settle()
    results = [{ result: 'unsupported' }, { result: 'unsupported' }]
    expect(await chat.stop()).toBe('left')
    expect(await answered).toMatchObject({ status: 'unconfirmed' })
    expect(await chat.stop()).toBe('left')
    expect(states()).toEqual(['unconfirmed'])
    expect(status()).toBe('ready')
  })

  it('are answered only when the run that asks has ended', async () => {
    await ask(first)
    const answered = chat.answer('p1', YES)
    await settle()
    expect(states()).toEqual(['staged'])
    expect(peer.connections).toHaveLength(1)
    peer.connection.batch(delivery(2, { type: 'stream-closed', streamId: 's1', outcome: 'awaiting-input' }))
    await settle()
    expect(peer.connections).toHaveLength(2)
    peer.connection.alive()
    expect(await answered).toEqual({ status: 'accepted' })
  })

  it('are too late when the run that asks ends without a question', async () => {
    await ask(first)
    const answered = chat.answer('p1', YES)
    await settle()
    peer.connection.close(2)
    expect(await answered).toEqual({ status: 'too-late' })
    expect(states()).toEqual(['withdrawn'])
    expect(peer.connections).toHaveLength(1)
  })

  it('are first shown with the end of that run', async () => {
    void chat.sendMessage('Go')
    await settle()
    const ends: unknown[] = []
    chat.subscribe(() => {
      const { messages, connection } = chat.getSnapshot()
      if (messages.flatMap(promptsOf).length > 0) ends.push([messages.at(-1)?.status, connection.phase])
    })
    peer.connection.batch({
      events: [
        { type: 'prompt', prompt: first },
        { type: 'run-finished', outcome: 'awaiting-input' },
      ],
      cursor: { streamId: 's1', seq: 1 },
      progress: true,
      source: 1,
    })
    await settle()
    environment.paint()
    expect(ends[0]).toEqual(['complete', 'closed'])
  })

  it('are not answered any more once the conversation was continued without them', async () => {
    await end(first)
    void chat.answer('p1', YES)
    await settle()
    await breakOff()
    await chat.stop()
    void chat.sendMessage('Something else')
    await settle()
    const { length } = peer.connections
    expect(await chat.answer('p1', YES)).toEqual({ status: 'too-late' })
    expect(peer.connections).toHaveLength(length)
    expect(states()).toEqual(['unconfirmed'])
  })

  it('wait for the user again when another page began to send the answers, and it fails', async () => {
    await end(first)
    void chat.answer('p1', YES)
    await settle()
    const initialState = chat.capture()
    chat = createChat({ client: () => client, conversationId: 'c1', initialState })
    void chat.resume()
    await settle()
    peer.connection.fail(failure({ severity: 'FATAL' }))
    await settle()
    expect(states()).toEqual(['unconfirmed'])
    expect(status()).toBe('awaiting-input')
    expect(await chat.sendMessage('More')).toMatchObject({ status: 'refused', error: { code: 'busy' } })
  })

  it('are left to an agent that does not confirm the stop, on every page', async () => {
    await end(first)
    results = [{ result: 'unsupported' }]
    expect(await chat.stop()).toBe('left')
    expect(chat.getSnapshot().messages.at(-1)).toMatchObject({ status: 'stopped', stop: 'left' })
    const initialState = chat.capture()
    chat = createChat({ client: () => client, conversationId: 'c1', initialState })
    expect(await chat.stop()).toBe('left')
  })

  it('are cancelled by stop, and the agent is told', async () => {
    await end(first)
    expect(await chat.stop()).toBe('cancelled')
    expect(states()).toEqual(['cancelled'])
    expect(status()).toBe('ready')
    expect(peer.commands).toMatchObject([{ type: 'cancel' }])
  })
})
