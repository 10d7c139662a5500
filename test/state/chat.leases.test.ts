import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import type { CommandResult } from '../../src/seam/command.ts'
import type { Lease } from '../../src/seam/lease.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import { type ChatInstance, createChat, loadCommandsModule } from '../../src/state/chat.ts'
import { createLeaseReader } from '../../src/state/run.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, failure } from '../support/scripted-peer.ts'

const LEASE: Lease = { name: 'fs.write', resource: '/reports', state: 'active', canExtend: true, canRevoke: true }

const environment = createManualEnvironment()
let peer: ScriptedPeer
let chat: ChatInstance
let results: (CommandResult | Error)[]

// Loaded on demand; loaded before, nothing but promises remains.
beforeAll(loadCommandsModule)

beforeEach(async () => {
  results = []
  peer = createScriptedPeer({
    canAct: true,
    onCommand: () => {
      const result = results.shift() ?? { result: 'accepted' }
      if (result instanceof Error) throw result
      return result
    },
  })
  const client: AgentClient<string> = {
    protocol: peer.protocol,
    retry: backoff({ maxAttempts: 1 }),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text }) => text,
  }
  chat = createChat({ client: () => client, conversationId: 'c1' })
  void chat.sendMessage('Go')
  await settle()
  peer.connection.say(1, 'I write')
  grant(2, LEASE)
  peer.connection.say(3, ' the table.')
  await shown()
})

afterEach(() => chat.dispose())

function grant(seq: number, lease: Lease): void {
  peer.connection.event(seq, { type: 'part', streamId: 's1', partId: 'l1', part: { type: 'lease', lease } })
}

async function shown(): Promise<void> {
  await settle()
  environment.paint()
}

const states = (): readonly string[] => createLeaseReader()(chat.getSnapshot().messages).map(({ lease }) => lease.state)

describe('a lease', () => {
  it('is a part beside the text, which it does not cut', () => {
    expect(chat.getSnapshot().messages[1]?.parts).toEqual([
      { type: 'text', id: 'text-1', text: 'I write the table.' },
      { type: 'lease', id: 'l1', lease: LEASE },
    ])
  })

  it('is what the agent told last', async () => {
    grant(4, { ...LEASE, until: 5000 })
    grant(5, { ...LEASE, state: 'expired' })
    await shown()
    expect(states()).toEqual(['expired'])
  })

  it('is extended by the agent: the command says how much, and its event how long', async () => {
    expect(await chat.changeLease('l1', { type: 'extend', ms: 60_000 })).toEqual({ status: 'accepted' })
    expect(peer.commands).toMatchObject([
      {
        type: 'lease',
        leaseId: 'l1',
        requestId: chat.getSnapshot().messages[1]?.requestId,
        handle: { lastEventId: 's1' },
        change: { type: 'extend', ms: 60_000 },
      },
    ])
    expect(createLeaseReader()(chat.getSnapshot().messages)[0]?.lease).toEqual(LEASE)
  })

  it('is revoked once the agent has agreed, and not before', async () => {
    results = [failure()]
    const revoking = chat.changeLease('l1', { type: 'revoke' })
    await settle()
    expect(states()).toEqual(['active'])
    await environment.clock.advance(20_000)
    expect(await revoking).toEqual({ status: 'accepted' })
    expect(states()).toEqual(['revoked'])
    expect(new Set(peer.commands.map((command) => command.type === 'lease' && command.changeId)).size).toBe(1)
    expect(peer.commands).toHaveLength(2)
  })

  it('stays revoked when an event from before the revocation arrives after its reply', async () => {
    expect(await chat.changeLease('l1', { type: 'revoke' })).toEqual({ status: 'accepted' })
    grant(4, { ...LEASE, until: 5000 })
    await shown()
    expect(states()).toEqual(['revoked'])
  })

  it('can be revoked after the answer has ended, with the memory of its run', async () => {
    peer.connection.close(4)
    await shown()
    expect(chat.getSnapshot().status).toBe('ready')
    expect(await chat.changeLease('l1', { type: 'revoke' })).toEqual({ status: 'accepted' })
    expect(peer.commands).toMatchObject([{ type: 'lease', handle: { lastEventId: 's1' } }])
  })

  it('stays as it is when nobody knows whether the change arrived', async () => {
    results = [failure(), failure()]
    const revoking = chat.changeLease('l1', { type: 'revoke' })
    await environment.clock.advance(20_000)
    expect(await revoking).toMatchObject({ status: 'unconfirmed' })
    expect(states()).toEqual(['active'])
  })

  it.each([
    [{ result: 'too-late' }, { status: 'too-late' }],
    [{ result: 'invalid', errors: [{ path: '', message: 'Too long' }] }, { status: 'invalid' }],
    [{ result: 'unsupported' }, { status: 'refused' }],
    [failure({ severity: 'FATAL', code: 'forbidden' }), { status: 'refused' }],
  ] as const)('is told what the agent says of a change: %o', async (result, told) => {
    results = [result]
    expect(await chat.changeLease('l1', { type: 'extend', ms: 1 })).toMatchObject(told)
    expect(states()).toEqual(['active'])
  })

  it('that has ended, is not known, or is extended by no time asks nothing of the agent', async () => {
    expect(await chat.changeLease('l2', { type: 'revoke' })).toMatchObject({ status: 'refused' })
    for (const ms of [0, -1, Number.NaN, Infinity])
      expect(await chat.changeLease('l1', { type: 'extend', ms })).toMatchObject({ status: 'refused' })
    grant(4, { ...LEASE, state: 'revoked' })
    await shown()
    expect(await chat.changeLease('l1', { type: 'extend', ms: 1 })).toEqual({ status: 'too-late' })
    expect(peer.commands).toEqual([])
  })
})

describe('the reader of leases', () => {
  it('gives the same list until a message changes, and the newest of one lease', async () => {
    const read = createLeaseReader()
    const before = read(chat.getSnapshot().messages)
    expect(read([...chat.getSnapshot().messages])).toBe(before)
    const [question, answer] = chat.getSnapshot().messages
    if (question === undefined || answer === undefined) throw new Error('There is no answer.')
    const later = {
      ...answer,
      id: 'later',
      parts: [{ type: 'lease', id: 'l1', lease: { ...LEASE, until: 9 } }],
    } as const
    expect(read([question, answer, later]).map(({ lease, message }) => [lease.until, message.id])).toEqual([
      [9, 'later'],
    ])
    expect(read([question])).toEqual([])
    expect(read([question, answer]).map(({ id }) => id)).toEqual(['l1'])
  })
})
