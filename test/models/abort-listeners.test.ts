import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { openModelPage } from './ask-agent.ts'
import { completions, messages, responses, streamed, type ChatWire } from './rows/chat-wires.ts'
import { FROM_AI_SDK } from './rows/from-ai-sdk-rows.ts'
import { FROM_ANTHROPIC } from './rows/from-anthropic-rows.ts'
import { FROM_LANG_GRAPH } from './rows/from-lang-graph-rows.ts'
import { FROM_OPENAI } from './rows/from-openai-rows.ts'
import type { ModelHelper } from './rows/model-row.ts'
import { serveVendor } from './vendor-server.ts'

/** More than Node warns about in one signal, and fewer than the limit of steps of LangGraph. */
const ROUNDS = 11

/** `all` listeners are counted where the SDK removes its own as well; `ours` are those that a source of capstan adds. */
const HELPERS: readonly (readonly [string, 'all' | 'ours', ModelHelper, ChatWire, object])[] = [
  // Version 6 of the SDK adds a listener for each of its requests.
  [FROM_OPENAI.name, 'ours', FROM_OPENAI, responses, {}],
  [FROM_ANTHROPIC.name, 'all', FROM_ANTHROPIC, messages, {}],
  // The AI SDK adds a listener for each of its steps.
  [FROM_AI_SDK.name, 'ours', FROM_AI_SDK, responses, { setup: { wire: 'responses', steps: ROUNDS + 1 } }],
  [
    FROM_LANG_GRAPH.name,
    'all',
    FROM_LANG_GRAPH,
    completions,
    { setup: { wire: 'completions', how: 'invoke', graph: 'tools' } },
  ],
]

/** Counts the calls of `addEventListener` that sources of capstan make themselves. */
function countOurs(signal: AbortSignal): () => number {
  let ours = 0
  const add = signal.addEventListener.bind(signal)
  signal.addEventListener = (...listener: Parameters<typeof add>) => {
    const caller = new Error('where').stack?.split('\n')[2] ?? ''
    if (caller.includes('/src/')) ours += 1
    add(...listener)
  }
  return () => ours
}

describe.each(HELPERS)('%s and the signal of its run: %s listeners', (_, which, helper, wire, options) => {
  it(`adds none per request: ${ROUNDS} rounds of tools`, async () => {
    const server = await serveVendor((ordinal) =>
      streamed(wire, ordinal < ROUNDS ? { calls: [{ id: `call-${ordinal}`, name: 'count', input: {} }] } : {}),
    )
    const counts: number[] = []
    let count = (): number => 0
    const tools = { count: { execute: () => counts.push(count()) } }
    const { chat, answer } = openModelPage<unknown>((run) => {
      count = which === 'ours' ? countOurs(run.signal) : () => getEventListeners(run.signal, 'abort').length
      return helper.answer(run, server.origin, tools, options as Readonly<Record<string, unknown>>)
    })
    await chat.sendMessage('Go')
    expect([answer().status, counts.length]).toEqual(['complete', ROUNDS])
    expect(new Set(counts)).toEqual(new Set([counts[0]]))
    expect(count()).toBeLessThanOrEqual(counts[0] ?? 0)
  })
})
