import { afterEach, describe, expect, it } from 'vitest'
import type { UiMessage } from '../../../../src/ai-sdk.ts'
import { fromUiMessages } from '../../../../src/ai-sdk.ts'
import type { CapturableChat } from '../../../../src/state/chat-options.ts'
import { textOf } from '../../../../src/index.ts'
import type { Reply } from '../../../support/ai-sdk-server.ts'
import { broken, chatWithAiSdk, framesOf, serveAiSdk, textAnswer } from '../../../support/ai-sdk-server.ts'
import { answerOf } from '../../../support/answer-of.ts'
import { createManualClock } from '../../../support/manual-clock.ts'

const chats: CapturableChat[] = []

afterEach(() => {
  for (const chat of chats.splice(0)) void chat.dispose()
})

async function answerTo(...replies: readonly Reply[]): Promise<CapturableChat> {
  const chat = chatWithAiSdk(serveAiSdk({ POST: replies }), { resumeUrl: false })
  chats.push(chat)
  await chat.sendMessage('Why?')
  return chat
}

const FIRST = textAnswer('m1', 'One.')
const SECOND = textAnswer('m1', 'Two.')
const CLOSED = FIRST.slice(0, -2)

describe('AiSdkClient behind [DONE]', () => {
  it.each([
    ['in the same body', framesOf(FIRST) + framesOf(SECOND)],
    ['that did not end with finish', framesOf(CLOSED) + framesOf(SECOND)],
  ])('reads a second stream %s', async (_name, body) => {
    const answer = answerOf(await answerTo(body))
    expect([answer.status, textOf(answer)]).toEqual(['complete', 'One.Two.'])
  })

  it('is incomplete when the second stream is cut', async () => {
    const answer = answerOf(await answerTo(framesOf(CLOSED) + framesOf(SECOND.slice(0, 4), false)))
    expect([answer.status, textOf(answer)]).toEqual(['incomplete', 'One.Two.'])
  })

  it('is incomplete when what followed is closed but has no end', async () => {
    const answer = answerOf(await answerTo(framesOf(CLOSED) + framesOf(SECOND.slice(0, -2), false)))
    expect(answer.status).toBe('incomplete')
  })

  it('fails by an error that follows', async () => {
    const chat = await answerTo(framesOf(FIRST) + framesOf([{ type: 'error', errorText: 'The second model broke.' }]))
    expect(chat.getSnapshot().error).toMatchObject({ code: 'agent_error', message: 'The second model broke.' })
  })

  it('is complete when the connection breaks', async () => {
    expect(answerOf(await answerTo(broken(framesOf(CLOSED)))).status).toBe('complete')
  })
})

it('AiSdkClient waits for a second stream that takes longer than a body may stay open behind finish', async () => {
  const clock = createManualClock()
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const writer = body.writable.getWriter()
  const write = (text: string): Promise<void> => writer.write(new TextEncoder().encode(text))
  const reply = new Response(body.readable, { headers: { 'content-type': 'text/event-stream' } })
  const chat = chatWithAiSdk(serveAiSdk({ POST: [reply] }), { resumeUrl: false, environment: { clock } })
  chats.push(chat)
  const answered = chat.sendMessage('Why?')
  await write(framesOf(FIRST, false))
  await write(framesOf(SECOND.slice(0, 3), false))
  await clock.advance(2000)
  await write(framesOf(SECOND.slice(3)))
  await writer.close()
  await answered
  expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['complete', 'One.Two.'])
})

it.each(['data:\n\n', 'data: \n\n'])('AiSdkClient fails by empty data (%j)', async (frame) => {
  const chat = await answerTo(framesOf(FIRST.slice(0, 4), false) + frame + framesOf(FIRST.slice(4)))
  expect(chat.getSnapshot().error).toMatchObject({ kind: 'protocol', code: 'invalid_json' })
  expect([answerOf(chat).status, textOf(answerOf(chat))]).toEqual(['failed', 'One.'])
})

describe('the input of a call that was cut', () => {
  const cut = [
    { type: 'start', messageId: 'm1' },
    { type: 'start-step' },
    { type: 'tool-input-start', toolCallId: 'c1', toolName: 'send', inputEncoding: 'text' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: 'Dear ' },
    { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: 'Ann' },
  ]
  const part = {
    type: 'tool-send',
    toolCallId: 'c1',
    state: 'input-streaming',
    inputEncoding: 'text',
    rawInput: 'Dear Ann',
  } as const

  it('is shown and sent back as it was received', async () => {
    const server = serveAiSdk({ POST: [framesOf(cut, false), textAnswer('m2', 'Yes.')] })
    const chat = chatWithAiSdk(server, { resumeUrl: false })
    chats.push(chat)
    await chat.sendMessage('Mail Ann.')
    expect(answerOf(chat).parts).toContainEqual(
      expect.objectContaining({ type: 'tool-call', name: 'send', partialInput: 'Dear Ann' }),
    )
    await chat.sendMessage('And?')
    expect(server.seen[1]?.body.messages?.[1]?.parts).toEqual([{ type: 'step-start' }, part])
  })

  it('is shown and sent back from the store of a server', async () => {
    const stored: readonly UiMessage[] = [
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Mail Ann.' }] },
      { id: 'm1', role: 'assistant', parts: [{ type: 'step-start' }, part] },
    ]
    const server = serveAiSdk({ POST: [textAnswer('m2', 'Yes.')] })
    const chat = chatWithAiSdk(server, {}, undefined, fromUiMessages('chat-1', stored))
    chats.push(chat)
    expect(answerOf(chat).parts).toContainEqual(expect.objectContaining({ partialInput: 'Dear Ann' }))
    await chat.sendMessage('And?')
    expect(server.seen[0]?.body.messages?.[1]).toEqual(stored[1])
  })

  it('is continued by a server that resumes its stream in the middle', async () => {
    const rest = [
      { type: 'tool-input-delta', toolCallId: 'c1', inputTextDelta: ', hello' },
      { type: 'tool-input-available', toolCallId: 'c1', toolName: 'send', input: 'Dear Ann, hello' },
      { type: 'tool-output-available', toolCallId: 'c1', output: 'sent' },
      { type: 'finish', finishReason: 'stop' },
    ]
    const server = serveAiSdk({ POST: [framesOf(cut, false), textAnswer('m2', 'Yes.')], GET: [rest] })
    const chat = chatWithAiSdk(server)
    chats.push(chat)
    await chat.sendMessage('Mail Ann.')
    await chat.sendMessage('And?')
    expect(server.seen[2]?.body.messages?.[1]?.parts[1]).toEqual({
      type: 'tool-send',
      toolCallId: 'c1',
      state: 'output-available',
      input: 'Dear Ann, hello',
      output: 'sent',
    })
  })
})
