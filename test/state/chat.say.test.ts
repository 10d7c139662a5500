import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import { loadCommandsModule, createChat } from '../../src/state/chat.ts'
import type { CommandResult } from '../../src/seam/command.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import type { ScriptedPeer } from '../support/scripted-peer.ts'
import { createScriptedPeer, failure } from '../support/scripted-peer.ts'

const environment = createManualEnvironment()
let peer: ScriptedPeer
let chat: CapturableChat
let result: () => CommandResult | Promise<CommandResult>

// Loaded on demand; loaded before, only promises are between.
beforeAll(loadCommandsModule)

beforeEach(async () => {
  result = () => ({ result: 'accepted' })
  peer = createScriptedPeer({ canAct: true, onCommand: () => result() })
  const client: AgentClient<string> = {
    protocol: peer.protocol,
    retry: backoff({ maxAttempts: 0 }),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text }) => text,
  }
  chat = createChat({ client: () => client, conversationId: 'c1' })
  void chat.sendMessage('Go')
  await settle()
  peer.connection.say(1, 'First this.')
  await settle()
})

afterEach(() => chat.dispose())

const parts = (): unknown[] =>
  (chat.getSnapshot().messages[1]?.parts ?? []).map((part) =>
    part.type === 'said' ? `said ${part.status}: ${part.text}` : part.type === 'text' ? part.text : part.type,
  )

describe('a word into the running answer', () => {
  it('is where it was said, and what follows comes behind it', async () => {
    let told = (_result: CommandResult): void => {}
    result = () => new Promise((resolve) => (told = resolve))
    const said = chat.say('Rather that')
    await settle()
    expect(parts()).toEqual(['First this.', 'said sending: Rather that'])
    result = () => ({ result: 'accepted' })
    told({ result: 'accepted' })
    expect(await said).toEqual({ status: 'accepted' })
    peer.connection.say(2, 'Now that.')
    await settle()
    environment.paint()
    expect(parts()).toEqual(['First this.', 'said sent: Rather that', 'Now that.'])
    expect(peer.commands).toMatchObject([{ type: 'say', text: 'Rather that' }])
  })

  it('that the agent repeats in its events is there once', async () => {
    await chat.say('Rather that')
    const [command] = peer.commands
    const partId = command?.type === 'say' ? command.messageId : ''
    peer.connection.event(2, {
      type: 'part',
      streamId: 's1',
      partId,
      part: { type: 'said', text: 'Rather that', status: 'sent' },
    })
    await settle()
    expect(parts()).toEqual(['First this.', 'said sent: Rather that'])
  })

  it('is queued like any message where the agent cannot hear it', async () => {
    for (const each of ['unsupported', 'too-late'] as const) {
      result = () => ({ result: each })
      expect(await chat.say(each)).toEqual({ status: 'queued' })
    }
    expect(parts()).toEqual(['First this.'])
    expect(chat.getSnapshot().queued.map(({ message }) => message.text)).toEqual(['unsupported', 'too-late'])
  })

  it('is marked and not sent by itself again when nobody knows whether it arrived', async () => {
    result = () => {
      throw failure()
    }
    await chat.say('Rather that')
    expect(parts()).toEqual(['First this.', 'said not-sent: Rather that'])
    expect(chat.getSnapshot().queued).toEqual([])
  })

  it('that the agent has repeated in its events was heard, whatever became of the answer to the command', async () => {
    for (const lost of [failure(), undefined]) {
      result = async () => {
        const command = peer.commands.at(-1)
        if (command?.type !== 'say') throw new Error('Nothing was said.')
        const { messageId: partId, text } = command
        const part = { type: 'said', text, status: 'sent' } as const
        peer.connection.event(peer.commands.length + 1, { type: 'part', streamId: 's1', partId, part })
        await settle()
        if (lost !== undefined) throw lost
        return { result: 'too-late' }
      }
      expect(await chat.say('Rather that')).toEqual({ status: 'accepted' })
    }
    expect(parts()).toEqual(['First this.', 'said sent: Rather that', 'said sent: Rather that'])
    expect(chat.getSnapshot().queued).toEqual([])
  })

  it('that is confirmed when the next answer grows belongs to the one it was said into', async () => {
    let told = (_result: CommandResult): void => {}
    result = () => new Promise((resolve) => (told = resolve))
    void chat.say('Rather that')
    await settle()
    result = () => ({ result: 'accepted' })
    peer.connection.close(2)
    await settle()
    void chat.sendMessage('And now?')
    await settle()
    peer.connection.say(1, 'Another one.')
    await settle()
    told({ result: 'accepted' })
    await settle()
    environment.paint()
    expect(parts()).toEqual(['First this.', 'said sent: Rather that'])
    expect(chat.getSnapshot().messages).toHaveLength(4)
  })

  it.each<readonly [string, () => void]>([
    ['stop', () => void chat.stop()],
    ['stopRun', () => void chat.stopRun(chat.getSnapshot().messages[1]?.requestId ?? '')],
  ])('is queued, and begins no run, when %s() follows at once', async (_name, stop) => {
    const said = chat.say('Rather that')
    stop()
    expect(await said).toEqual({ status: 'queued' })
    await settle()
    expect(chat.getSnapshot().queued.map(({ message }) => message.text)).toEqual(['Rather that'])
    expect(peer.connections).toHaveLength(1)
  })

  it('is queued, and begins no run, when the chat is left at once and its answer has not begun', async () => {
    peer.connection.close(2)
    await settle()
    void chat.sendMessage('Go on')
    const said = chat.say('Rather that')
    void chat.stop()
    void chat.disconnect()
    expect(await said).toEqual({ status: 'queued' })
    await settle()
    expect(peer.connections).toHaveLength(1)
  })

  it('is refused when the chat is disposed of at once', async () => {
    const said = chat.say('Rather that')
    void chat.dispose()
    expect(await said).toMatchObject({ status: 'refused', error: { code: 'app_error' } })
  })

  it('is a message when nothing runs', async () => {
    peer.connection.close(2)
    await settle()
    void chat.say('And now?')
    await settle()
    expect(peer.connection.opening.request).toBe('And now?')
  })
})
