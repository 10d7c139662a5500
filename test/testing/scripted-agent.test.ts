import { describe, expect, it } from 'vitest'
import { CapClient } from '../../src/protocols/cap/client/cap-client.ts'
import { fatal, transient, warning } from '../../src/server/run/agent-output.ts'
import { createChat } from '../../src/state/chat.ts'
import type { ChatInstance } from '../../src/state/chat.ts'
import { textOf } from '../../src/state/turn.ts'
import { manualClock } from '../../src/testing/manual-clock.ts'
import type { ScriptedAgent } from '../../src/testing/scripted-agent.ts'
import { cut, pause, refuse, restart, scriptedAgent, silence, status } from '../../src/testing/scripted-agent.ts'
import { collect } from '../server/peer.ts'
import { loadRarePackets } from '../../src/protocols/cap/load-on-demand.ts'

// Loaded on demand; loaded before, nothing but promises and the clock remains.
await loadRarePackets()

const heard = async (agent: ScriptedAgent): Promise<string> => {
  const client = new CapClient({ baseUrl: 'https://agent.test', fetch: agent.fetch, environment: { random: () => 0 } })
  return (await collect(client.chat('Why?'))).join('')
}

describe('a scripted agent', () => {
  it('says its script through the whole stack', async () => {
    const agent = scriptedAgent(['Rivers ', 'meander.'])
    expect(await heard(agent)).toBe('Rivers meander.')
    expect(agent).toMatchObject({ runs: 1, text: 'Rivers meander.' })
    expect(agent.attempts[0]?.headers).toMatchObject({ accept: 'text/event-stream, application/json' })
    expect(JSON.parse(agent.attempts[0]?.body ?? '')).toMatchObject({ payload: { payload: { query: 'Why?' } } })
  })

  it.each([
    ['a cut', [cut()], 2],
    ['a clean end without CLOSE', [cut('end')], 2],
    ['two cuts at one place', [cut(), cut('end')], 3],
    ['an attempt that finds nobody, after a cut', [cut(), refuse()], 3],
    ['a server in trouble, after a cut', [cut(), status(503)], 3],
  ])('is heard whole over %s, with one run', async (_, marks, attempts) => {
    const agent = scriptedAgent(['Rivers ', ...marks, 'meander.'])
    expect(await heard(agent)).toBe('Rivers meander.')
    expect(agent.runs).toBe(1)
    expect(agent.attempts).toHaveLength(attempts)
    expect(new Set(agent.attempts.map(({ requestId, body }) => requestId + body)).size).toBe(1)
  })

  it('answers each question by its own script, from the start', async () => {
    const agent = scriptedAgent((question, ordinal) => [`${ordinal}: `, cut(), question])
    expect(await heard(agent)).toBe('0: Why?')
    expect(await heard(agent)).toBe('1: Why?')
    expect(agent.runs).toBe(2)
  })

  it('fails as its script says', async () => {
    await expect(heard(scriptedAgent([status(403)]))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(heard(scriptedAgent([status(429, { retryAfterSeconds: 7 })]))).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 7000,
    })
    await expect(
      heard(scriptedAgent([status(200, { contentType: 'text/html', body: '<h1>Hi</h1>' })])),
    ).rejects.toMatchObject({ code: 'unexpected_content_type' })
    await expect(heard(scriptedAgent(['A', fatal('quota_exceeded', 'No more today.')]))).rejects.toMatchObject({
      agentCode: 'quota_exceeded',
    })
    await expect(heard(scriptedAgent(['A', transient('slow', 'Slow.')]))).rejects.toMatchObject({ agentCode: 'slow' })
  })
})

describe('a chat with a scripted agent, on its own clock', () => {
  const shown = (chat: ChatInstance): string[] =>
    chat.getSnapshot().messages.map((message) => `${message.role} ${message.status}: ${textOf(message)}`)
  const chatWith = (agent: ScriptedAgent, clock = manualClock()): ChatInstance => {
    const client = new CapClient({ baseUrl: 'https://agent.test', fetch: agent.fetch, environment: clock.environment })
    return createChat({ client: () => client, conversationId: crypto.randomUUID() })
  }

  it('finds a silent connection by its watchdog', async () => {
    const clock = manualClock()
    const agent = scriptedAgent(['Rivers ', silence(), 'meander.'], { clock })
    const chat = chatWith(agent, clock)
    void chat.sendMessage('Why?')
    await clock.advance(59_999)
    expect(agent.attempts).toHaveLength(1)
    await clock.advance(2)
    expect(shown(chat)).toEqual(['user sent: Why?', 'assistant complete: Rivers meander.'])
    expect(agent).toMatchObject({ runs: 1, attempts: { length: 2 } })
    expect(clock.pending).toBe(0)
  })

  it('waits while the agent thinks', async () => {
    const clock = manualClock()
    const chat = chatWith(
      scriptedAgent(['Rivers ', pause(30_000), warning('late', 'That took long.'), 'meander.'], { clock }),
      clock,
    )
    void chat.sendMessage('Why?')
    await clock.advance(29_999)
    expect(shown(chat)[1]).toBe('assistant streaming: Rivers ')
    await clock.advance(1)
    expect(shown(chat)[1]).toBe('assistant complete: Rivers meander.')
    expect(chat.getSnapshot().warnings).toHaveLength(1)
  })

  it('begins again where the server lost its record', async () => {
    const clock = manualClock()
    const agent = scriptedAgent(['Rivers ', cut(), restart(), 'meander.'], { clock })
    const chat = chatWith(agent, clock)
    void chat.sendMessage('Why?')
    await clock.advance(1000)
    expect(chat.getSnapshot().messages[1]).toMatchObject({
      restarted: true,
      status: 'complete',
      parts: [{ text: 'Rivers meander.' }],
    })
    expect(agent.runs).toBe(2)
  })

  it('leaves nothing behind when the chat is let go in mid-answer', async () => {
    const clock = manualClock()
    const chat = chatWith(scriptedAgent(['Rivers ', silence()], { clock }), clock)
    void chat.sendMessage('Why?')
    await clock.advance(100)
    await chat.dispose()
    await clock.advance(0)
    expect(shown(chat)).toEqual(['user sent: Why?', 'assistant stopped: Rivers '])
    expect(clock.pending).toBe(0)
  })
})
