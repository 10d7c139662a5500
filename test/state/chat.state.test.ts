import { afterEach, expect, it } from 'vitest'
import { backoff } from '../../src/base/backoff.ts'
import type { ChatInput } from '../../src/seam/chat-input.ts'
import type { StateEdit } from '../../src/seam/state-edit.ts'
import type { AgentClient } from '../../src/session/agent-client.ts'
import type { CapturableChat } from '../../src/state/chat-options.ts'
import { createChat } from '../../src/state/chat.ts'
import { settle } from '../support/manual-clock.ts'
import { createManualEnvironment } from '../support/manual-environment.ts'
import { createScriptedPeer } from '../support/scripted-peer.ts'

const EDIT: StateEdit = { id: 'e1', base: 1, value: 2 }

const environment = createManualEnvironment()
let asked: (StateEdit | undefined)[] = []
let chat: CapturableChat

function open(sharesState: boolean, initialState?: ReturnType<CapturableChat['capture']>): CapturableChat {
  asked = []
  const client: AgentClient<string> = {
    protocol: createScriptedPeer({ sharesState }).protocol,
    retry: backoff({ maxAttempts: 1 }),
    timeoutMs: 60_000,
    environment,
    createRequest: ({ text, stateEdit }: ChatInput) => {
      asked.push(stateEdit)
      return text
    },
  }
  chat = createChat({ client: () => client, conversationId: 'c1', initialState })
  return chat
}

afterEach(() => chat.dispose())

it('keeps an edit of the shared state, shows it, and gives it to the next request', async () => {
  open(true)
  let told = 0
  chat.subscribe(() => (told += 1))
  expect(chat.changeState(EDIT)).toBe(true)
  expect([told, chat.getSnapshot().stateEdit]).toEqual([1, EDIT])
  void chat.sendMessage('Go')
  await settle()
  expect(asked).toEqual([EDIT])
})

it('gives a queued message the edit that there is when it is sent', async () => {
  open(true)
  void chat.sendMessage('One')
  await settle()
  await chat.sendMessage('Two', { whenBusy: 'queue' })
  chat.changeState(EDIT)
  const [waiting] = chat.getSnapshot().queued
  await chat.stop()
  if (waiting !== undefined) chat.discard(waiting.id)
  void chat.sendMessage('Two')
  await settle()
  expect(asked).toEqual([undefined, EDIT])
})

it('has the edit in its captured state, and continues from there', () => {
  open(true).changeState(EDIT)
  const captured = chat.capture()
  expect(captured.stateEdit).toEqual(EDIT)
  expect(open(true, captured).getSnapshot().stateEdit).toEqual(EDIT)
  chat.changeState(undefined)
  expect(chat.getSnapshot().stateEdit).toBeUndefined()
})

it('changes nothing where the protocol carries no state', () => {
  expect(open(false).changeState(EDIT)).toBe(false)
  expect(chat.getSnapshot().stateEdit).toBeUndefined()
})
