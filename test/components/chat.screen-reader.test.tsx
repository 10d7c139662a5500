// @vitest-environment jsdom
import { virtual } from '@guidepup/virtual-screen-reader'
import { render, screen, waitFor } from '@testing-library/react'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Chat } from '../../src/components/chat.tsx'
import type { ChatMessage } from '../../src/state/turn.ts'
import { failure } from '../support/scripted-peer.ts'
import { promptCode } from '../../src/components/prompt-area.tsx'
import { promptOf } from '../support/prompts.ts'
import { answer, createFakeChat, errorOf, connectionAt, said, text } from './fake-chat.ts'
import type { ScriptedChat } from './scripted-chat.tsx'
import { ask, showScriptedChat } from './scripted-chat.tsx'
import './show.tsx'

/*
 * A simulated screen reader: it walks the accessibility tree and speaks what changes in live regions, by the letter
 * of ARIA. It speaks no alert that comes with its text, as real ones do: those are found by walking.
 */
afterEach(async () => {
  await virtual.stop()
})

// It presses keys with a library that puts its own clipboard on the page.
afterAll(() => void Reflect.deleteProperty(navigator, 'clipboard'))

/** Listens to a chat over a scripted connection. */
async function sitDown(): Promise<ScriptedChat> {
  const chat = showScriptedChat()
  await virtual.start({ container: chat.container })
  await virtual.clearSpokenPhraseLog()
  return chat
}

/** What live regions said, without the silence of a region whose text went away. */
async function spoken(): Promise<string[]> {
  const phrases = await virtual.spokenPhraseLog()
  return phrases.filter((phrase) => /^(polite|assertive): ./.test(phrase))
}

/** Reads from where it is to the end of the chat. */
async function readOn(): Promise<string[]> {
  await virtual.clearSpokenPhraseLog()
  do await virtual.next()
  while ((await virtual.lastSpokenPhrase()) !== 'end of region, Chat')
  return virtual.spokenPhraseLog()
}

async function readAll(
  messages: readonly ChatMessage[],
  change: Parameters<typeof createFakeChat>[0] = {},
): Promise<string[]> {
  const { container } = render(
    <Chat chat={createFakeChat({ messages, ...change })} title="Rivers" onSignIn={() => {}} />,
  )
  await virtual.start({ container })
  return readOn()
}

/** The part of a reading between two phrases, both included. */
function between(phrases: readonly string[], from: string, to: string): readonly string[] {
  return phrases.slice(phrases.indexOf(from), phrases.indexOf(to) + 1)
}

describe('someone who listens to a chat', () => {
  it('is notified that an answer is written and when it is complete, and no word of it in between', async () => {
    const { peer, move } = await sitDown()
    await move(() => ask('Why do rivers bend?'))
    await waitFor(async () => expect(await spoken()).toEqual(['polite: Generating a response']))
    for (let seq = 1; seq <= 20; seq += 1) await move(() => peer.connection.say(seq, `word${seq} `))
    await move(() => peer.connection.close(21))
    await waitFor(async () =>
      expect(await spoken()).toEqual(['polite: Generating a response', 'polite: Response complete']),
    )
  })

  it('is notified that a message was not sent', async () => {
    const { peer, move } = await sitDown()
    await move(() => ask('Why do rivers bend?'))
    await move(() =>
      peer.connection.fail(failure({ kind: 'runtime', code: 'unauthorized', status: 401, severity: 'FATAL' })),
    )
    await waitFor(async () =>
      expect(await spoken()).toEqual(['polite: Generating a response', 'polite: Your message wasn’t sent']),
    )
  })

  it('is notified once that approval is needed', async () => {
    await promptCode.load()
    const { peer, move } = await sitDown()
    await move(() => ask('Send it.'))
    await move(() => peer.connection.event(1, { type: 'prompt', prompt: promptOf() }))
    await move(() => {}, 1000)
    await waitFor(async () =>
      expect(await spoken()).toEqual(['polite: Generating a response', 'polite: Your approval is needed']),
    )
  })

  it('is notified that an answer broke off', async () => {
    const { peer, move } = await sitDown()
    await move(() => ask('Why do rivers bend?'))
    await move(() => peer.connection.say(1, 'Half of '))
    await move(() =>
      peer.connection.fail(failure({ kind: 'runtime', code: 'http_error', status: 500, severity: 'FATAL' })),
    )
    await waitFor(async () =>
      expect(await spoken()).toEqual(['polite: Generating a response', 'polite: The response was interrupted']),
    )
  })
})

describe('someone who reads a chat', () => {
  it('finds the messages as articles in a log, each with its speaker', async () => {
    const phrases = await readAll([said('u', 'Why do rivers bend?'), answer('a', [text('No bank is perfectly even.')])])
    const log = between(phrases, 'log, Conversation', 'end of log, Conversation')
    expect(log.filter((phrase) => !/button|group/.test(phrase))).toEqual([
      'log, Conversation',
      'article, You',
      'Why do rivers bend?',
      'end of article, You',
      'article, Assistant',
      'paragraph',
      'No bank is perfectly even.',
      'end of paragraph',
      'end of article, Assistant',
      'end of log, Conversation',
    ])
  })

  it('finds the failure with its next step before the box to write in', async () => {
    const gone = errorOf({
      code: 'unauthorized',
      status: 401,
      agentCode: 'auth_failed',
      message: 'The token is too old.',
    })
    const phrases = await readAll([said('u', 'Hello', { status: 'not-sent', error: gone, requestId: 'r-1' })], {
      status: 'error',
      error: gone,
    })
    const alert = between(phrases, 'alert', 'end of alert')
    // jsdom opens no details, and the simulator reads on into closed ones.
    const folded = between(alert, 'Details', 'end of group').slice(1, -1)
    expect(folded).toContain('auth_failed · HTTP 401 · request r-1')
    expect(
      alert.filter((phrase, index) => index < alert.indexOf('Details') + 1 || index >= alert.indexOf('end of group')),
    ).toEqual([
      'alert',
      'strong',
      'Please sign in',
      'end of strong',
      'paragraph',
      'You’re not signed in, or your session has expired.',
      'end of paragraph',
      'group',
      'Details',
      'end of group',
      'button, Sign in',
      'button, Dismiss',
      'end of alert',
    ])
    expect(phrases.indexOf('end of alert')).toBeLessThan(
      phrases.findIndex((phrase) => phrase.startsWith('textbox, Message')),
    )
  })

  it('finds at a message what became of it, with its steps', async () => {
    const phrases = await readAll([said('u', 'Hello', { status: 'not-sent', error: errorOf(), requestId: 'r-1' })])
    expect(between(phrases, 'article, You', 'end of article, You')).toEqual([
      'article, You',
      'Hello',
      'Not sent',
      'button, Retry',
      'button, Edit',
      'button, Discard',
      'end of article, You',
    ])
  })

  it('learns that an answer is still growing', async () => {
    const phrases = await readAll([answer('a', [text('Half')], { status: 'streaming' })], { status: 'streaming' })
    expect(phrases).toContain('article, Assistant, busy')
  })

  it('finds the connection being tried again as a plain word, without the figure that ticks', async () => {
    const connection = connectionAt({ phase: 'waiting', attempt: 1, nextRetryAt: performance.now() + 60_000 })
    const { container } = render(
      <Chat
        chat={createFakeChat({
          status: 'streaming',
          connection,
          messages: [answer('a', [text('Half')], { status: 'streaming' })],
        })}
      />,
    )
    await screen.findByRole('button', { name: 'Retry now' })
    expect(container.textContent).toMatch(/Reconnecting in \d+ s/)
    await virtual.start({ container })
    const phrases = await readOn()
    expect(phrases).toContain('Reconnecting')
    expect(phrases.filter((phrase) => /\d s/.test(phrase))).toEqual([])
  })

  it('finds what needs approval once: who asks by the name of the card, and what in it', async () => {
    await promptCode.load()
    const prompt = promptOf()
    const mail = answer('a', [text('I will.'), { type: 'prompt', id: prompt.id, prompt }], { status: 'streaming' })
    const phrases = await readAll([said('u', 'Send it.'), mail], { status: 'awaiting-input' })
    expect(phrases.filter((phrase) => phrase.startsWith('region, Your approval is needed'))).toHaveLength(1)
    const times = (words: string): number => phrases.filter((phrase) => phrase === words).length
    expect([times('Your approval is needed'), times('May I send the mail?')]).toEqual([0, 1])
    expect(phrases).not.toContain('Waiting for your answer')
  })

  it('finds in the transcript what was decided', async () => {
    await promptCode.load()
    const prompt = promptOf({ state: 'declined' })
    const mail = answer('a', [{ type: 'prompt', id: prompt.id, prompt }, text('Then not.', 'after')])
    const phrases = await readAll([said('u', 'Send it.'), mail])
    expect(phrases.filter((phrase) => phrase === 'May I send the mail?')).toHaveLength(1)
  })
})
