import { describe, expect, it } from 'vitest'
import { openModelPage, toolCall } from './ask-agent.ts'
import { completions, messages, responses, streamed, type ChatWire } from './rows/chat-wires.ts'
import { FROM_AI_SDK } from './rows/from-ai-sdk-rows.ts'
import { FROM_ANTHROPIC } from './rows/from-anthropic-rows.ts'
import { FROM_LANG_GRAPH } from './rows/from-lang-graph-rows.ts'
import { FROM_OPENAI } from './rows/from-openai-rows.ts'
import type { ModelHelper } from './rows/model-row.ts'
import { createRowTools } from './rows/row-tools.ts'
import { serveVendor } from './vendor-server.ts'

const HELPERS: readonly (readonly [string, ModelHelper, ChatWire, object])[] = [
  [FROM_OPENAI.name, FROM_OPENAI, responses, {}],
  [FROM_ANTHROPIC.name, FROM_ANTHROPIC, messages, {}],
  [FROM_AI_SDK.name, FROM_AI_SDK, responses, { setup: { wire: 'responses' } }],
  [
    FROM_LANG_GRAPH.name,
    FROM_LANG_GRAPH,
    completions,
    { setup: { wire: 'completions', how: 'invoke', graph: 'tools' } },
  ],
]

describe.each(HELPERS)('%s and the errors of tools', (_, helper, wire, options) => {
  it.each([
    ['gives onError what a tool has thrown, once', 'throws', ['canary']],
    ['gives onError nothing for a tool that the model has invented', 'invented', []],
    ['gives onError nothing for a tool that succeeds', 'send_email', []],
  ])('%s', async (_title, name, errors) => {
    const calls = [{ id: 'call-1', name, input: {} }]
    const server = await serveVendor((ordinal) => streamed(wire, ordinal === 0 ? { calls } : {}))
    const { tools } = createRowTools(['throws', 'send_email'])
    const { chat, answer, reported } = openModelPage<unknown>((run) =>
      helper.answer(run, server.origin, tools, options as Readonly<Record<string, unknown>>),
    )
    await chat.sendMessage('Go')
    expect(answer().status).toBe('complete')
    expect(toolCall(answer())).toMatchObject({ status: name === 'send_email' ? 'complete' : 'failed' })
    expect(reported.map((error) => (error instanceof Error ? error.message : error))).toEqual(errors)
    expect(JSON.stringify(chat.getSnapshot())).not.toContain('canary')
  })
})
