import { expect } from 'vitest'
import type { FromAiSdkOptions } from '../../../src/server/models/from-ai-sdk.ts'
import { aiSdkAnswer, type AiSdkSetup } from './ai-sdk-models.ts'
import { completions, gemini, messages, responses, streamed, type ChatWire } from './chat-wires.ts'
import { text, toolUse, underOneNumber } from './anthropic-wire.ts'
import type { ModelHelper, ModelRow } from './model-row.ts'
import { entriesOf } from './request-entries.ts'

const WIRES = [completions, responses, messages, gemini] as const
const TEXT = 'Rivers meander.'

function row(
  wire: ChatWire,
  given: Omit<ModelRow, 'options'> & { readonly options?: FromAiSdkOptions & Omit<AiSdkSetup, 'wire'> },
): ModelRow {
  const { steps, ofPage, ...options } = given.options ?? {}
  const setup = { wire: wire.name, ...(steps && { steps }), ...(ofPage && { ofPage }) }
  return { ...given, input: `${wire.name}: ${given.input}`, options: { ...options, setup } }
}

const CALL = { id: 'call-1', name: 'send_email', input: { to: 'ann' } }
const SEND = toolUse(CALL.id, CALL.name, CALL.input)
const RAN = ['send_email {"to":"ann"}']
const SHOWN = '[send_email complete] {"to":"ann"} -> {"ok":true}'
const SENT = ['call send_email {"to":"ann"}', 'result {"ok":true}']

const WHOLE: readonly ModelRow[] = WIRES.flatMap((wire) => [
  row(wire, { input: 'a whole answer', answers: [streamed(wire)], ends: 'complete', shows: [TEXT], requests: 1 }),
  row(wire, {
    input: 'a whole answer, without requiring a reason',
    answers: [streamed(wire)],
    options: { requireFinishReason: false },
    ends: 'complete',
    shows: [TEXT],
  }),
  row(wire, {
    input: 'a call of a tool, then the answer',
    answers: [streamed(wire, { calls: [CALL] }), streamed(wire)],
    ends: 'complete',
    shows: [SHOWN, TEXT],
    runs: RAN,
    sends: SENT,
    requests: 2,
  }),
  row(wire, {
    input: 'a limit of steps',
    answers: [streamed(wire, { calls: [CALL] })],
    options: { steps: 2 },
    ends: 'model_step_limit',
    shows: [SHOWN, SHOWN],
    runs: [...RAN, ...RAN],
    sends: SENT,
    requests: 2,
  }),
  row(wire, {
    input: 'a tool of the page that nobody carries out',
    answers: [streamed(wire, { calls: [CALL] })],
    options: { ofPage: ['send_email'] },
    ends: 'it called send_email, and nobody carried that out',
    shows: ['[send_email running] {"to":"ann"}'],
    requests: 1,
  }),
])

const CUT: readonly (readonly [ChatWire, string, string])[] = [
  [completions, 'length', 'model_output_limit'],
  [completions, 'content_filter', 'model_content_filtered'],
  [completions, 'model_length', 'model_output_limit'],
  [responses, 'max_output_tokens', 'model_output_limit'],
  [responses, 'content_filter', 'model_content_filtered'],
  [responses, 'failed', 'model_unavailable'],
  [messages, 'max_tokens', 'model_output_limit'],
  [messages, 'refusal', 'model_content_filtered'],
  [messages, 'model_context_window_exceeded', ''],
  [gemini, 'MAX_TOKENS', 'model_output_limit'],
  [gemini, 'SAFETY', 'model_content_filtered'],
  [gemini, 'PROHIBITED_CONTENT', 'model_content_filtered'],
  [gemini, 'RECITATION', 'model_content_filtered'],
  [gemini, 'MALFORMED_FUNCTION_CALL', 'finish reason error'],
]

const CUT_ANSWERS: readonly ModelRow[] = [
  ...CUT.map(([wire, reason, ends]) =>
    row(wire, { input: `ends with ${reason}`, answers: [streamed(wire, { reason })], ends, shows: [TEXT] }),
  ),
  ...WIRES.map((wire) =>
    row(wire, {
      input: 'ends without a reason',
      answers: [streamed(wire, { reason: null })],
      ends: wire === messages ? 'finish reason other' : 'finish reason interrupted',
      shows: [TEXT],
    }),
  ),
  row(completions, {
    input: 'ends without a reason, from a gateway that never gives one',
    answers: [streamed(completions, { reason: null })],
    options: { requireFinishReason: false },
    ends: 'complete',
    shows: [TEXT],
  }),
  row(completions, {
    input: 'ends with length, from a gateway that need not give a reason',
    answers: [streamed(completions, { reason: 'length' })],
    options: { requireFinishReason: false },
    ends: 'model_output_limit',
    shows: [TEXT],
  }),
  row(completions, {
    input: 'ends with model_length, from a gateway that need not give a reason',
    answers: [streamed(completions, { reason: 'model_length' })],
    options: { requireFinishReason: false },
    ends: 'model_output_limit',
    shows: [TEXT],
  }),
]

const TOOLS: readonly ModelRow[] = [
  row(completions, {
    input: 'a call with arguments joined {..}{..}',
    answers: [
      streamed(completions, { calls: [{ ...CALL, input: '{"to":"ann"}{"to":"bob"}' }] }),
      streamed(completions),
    ],
    ends: 'complete',
    shows: ['[send_email failed] "{\\"to\\":\\"ann\\"}{\\"to\\":\\"bob\\"}" -> "The tool failed."', TEXT],
    sends: [expect.stringContaining('call send_email'), expect.stringMatching(/^result .*JSON parsing failed/)],
  }),
  row(completions, {
    input: 'a call of a tool that does not exist',
    answers: [streamed(completions, { calls: [{ ...CALL, name: 'tasks.add' }] }), streamed(completions)],
    ends: 'complete',
    shows: ['[tasks.add failed] {"to":"ann"} -> "The tool failed."', TEXT],
    sends: ['call tasks.add {"to":"ann"}', expect.stringContaining('Available tools: send_email, ask_first')],
  }),
  row(completions, {
    input: 'a tool that throws',
    answers: [streamed(completions, { calls: [{ ...CALL, name: 'throws' }] }), streamed(completions)],
    ends: 'complete',
    shows: ['[throws failed] {"to":"ann"} -> "The tool failed."', TEXT],
    runs: ['throws {"to":"ann"}'],
    sends: ['call throws {"to":"ann"}', 'result {"error":"Error: canary"}'],
  }),
  ...(
    [
      ['date', '"1970-01-01T00:00:00.000Z"', '"1970-01-01T00:00:00.000Z"'],
      ['map', '{}', '{}'],
      ['instance', '{"x":1}', '{"x":1}'],
      ['buffer', '{"type":"Buffer","data":[97]}', '{"type":"Buffer","data":[97]}'],
    ] as const
  ).map(([name, shown, sent]) =>
    row(completions, {
      input: `a tool that returns ${name}`,
      answers: [streamed(completions, { calls: [{ id: 'call-1', name, input: {} }] }), streamed(completions)],
      ends: 'complete',
      shows: [`[${name} complete] {} -> ${shown}`, TEXT],
      runs: [`${name} {}`],
      sends: [`call ${name} {}`, `result ${sent}`],
    }),
  ),
  ...['not_a_number', 'nothing'].map((name) =>
    row(completions, {
      input: `a tool that returns ${name}`,
      answers: [streamed(completions, { calls: [{ id: 'call-1', name, input: {} }] }), streamed(completions)],
      ends: 'complete',
      shows: [`[${name} complete] {}`, TEXT],
      runs: [`${name} {}`],
      sends: [`call ${name} {}`, 'result null'],
    }),
  ),
  row(responses, {
    input: 'a call that the user allows',
    answers: [streamed(responses, { calls: [{ ...CALL, name: 'ask_first' }] }), streamed(responses)],
    decides: ['allow'],
    ends: 'complete',
    shows: ['[ask_first complete] {"to":"ann"} -> "sent"', '[prompt answered]', TEXT],
    runs: ['ask_first {"to":"ann"}'],
    sends: ['call ask_first {"to":"ann"}', 'result sent'],
  }),
  row(messages, {
    input: 'a call that the user rejects',
    answers: [streamed(messages, { calls: [{ ...CALL, name: 'ask_first' }] }), streamed(messages)],
    decides: ['reject'],
    ends: 'complete',
    shows: ['[ask_first denied] {"to":"ann"}', '[prompt answered]', TEXT],
    sends: ['call ask_first {"to":"ann"}', 'result Tool call execution denied.'],
  }),
]

/** Anthropic numbers its blocks, and some gateways do not. */
const NUMBERS: readonly ModelRow[] = [
  row(messages, {
    input: 'two texts under one number',
    answers: [underOneNumber([text('One. '), text('Two.')])],
    ends: 'complete',
    shows: ['One. Two.'],
  }),
  row(messages, {
    input: 'a text and a call under one number',
    answers: [underOneNumber([text('I mail.'), SEND], 'tool_use'), streamed(messages)],
    ends: 'complete',
    shows: ['I mail.', SHOWN, TEXT],
    runs: RAN,
    sends: ['text I mail.', ...SENT],
  }),
  row(messages, {
    input: 'two calls under one number',
    answers: [underOneNumber([SEND, toolUse('call-2', 'send_email', { to: 'bob' })], 'tool_use'), streamed(messages)],
    ends: 'complete',
    shows: [SHOWN, '[send_email complete] {"to":"bob"} -> {"ok":true}', TEXT],
    runs: [...RAN, 'send_email {"to":"bob"}'],
    sends: [SENT[0] ?? '', 'call send_email {"to":"bob"}', 'result {"ok":true}', 'result {"ok":true}'],
  }),
]

const REASONING: readonly ModelRow[] = [
  row(messages, {
    input: 'thinking with a signature before a call',
    answers: [streamed(messages, { thought: 'I mail.', signature: 'signed-1', calls: [CALL] }), streamed(messages)],
    ends: 'complete',
    shows: ['[thought complete] I mail.', SHOWN, TEXT],
    runs: RAN,
    sends: ['thinking I mail. signed-1', ...SENT],
  }),
  row(responses, {
    input: 'encrypted reasoning before a call',
    answers: [streamed(responses, { thought: 'I mail.', signature: 'secret-1', calls: [CALL] }), streamed(responses)],
    ends: 'complete',
    shows: ['[thought complete] I mail.', SHOWN, TEXT],
    runs: RAN,
    sends: ['reasoning secret-1', ...SENT],
  }),
  row(gemini, {
    input: 'a call with a thought signature',
    answers: [streamed(gemini, { thought: 'I mail.', signature: 'signed-1', calls: [CALL] }), streamed(gemini)],
    ends: 'complete',
    shows: ['[thought complete] I mail.', SHOWN, TEXT],
    runs: RAN,
    sends: ['thinking I mail.', 'call send_email {"to":"ann"} signed-1', 'result {"ok":true}'],
  }),
]

const canary = (message: string, more: object = {}): object => ({
  error: { message: `sk-canary ${message}`, type: 'error', code: null, status: 'X', ...more },
})

const REFUSED: readonly ModelRow[] = [
  ...WIRES.flatMap((wire) => [
    row(wire, {
      input: 'refuses the key',
      answers: [{ status: 401, body: canary('wrong') }],
      ends: 'model_unauthorized',
      shows: [],
    }),
    row(wire, {
      input: 'limits the rate',
      answers: [{ status: 429, body: canary('slow down') }],
      ends: 'model_rate_limited',
      shows: [],
    }),
    row(wire, {
      input: 'is overloaded',
      answers: [{ status: 503, body: canary('busy') }],
      ends: 'model_unavailable',
      shows: [],
    }),
    row(wire, {
      input: 'breaks off',
      answers: [{ ...wire.answer(wire.events({ reason: null })), ends: 'reset' }],
      ends: 'model_unavailable',
      shows: [TEXT],
    }),
  ]),
  row(completions, {
    input: 'has no quota left',
    answers: [{ status: 429, body: canary('quota', { code: 'insufficient_quota' }) }],
    ends: 'model_quota_exceeded',
    shows: [],
  }),
  row(completions, {
    input: 'finds the conversation too long',
    answers: [{ status: 400, body: canary('too long', { code: 'context_length_exceeded' }) }],
    ends: 'model_context_too_long',
    shows: [],
  }),
  row(gemini, {
    input: 'does not know the key',
    answers: [
      { status: 400, body: { error: { code: 400, message: 'API key not valid.', status: 'INVALID_ARGUMENT' } } },
    ],
    ends: 'model_unauthorized',
    shows: [],
  }),
]

export const FROM_AI_SDK: ModelHelper = {
  name: 'fromAiSdk',
  rows: [...WHOLE, ...CUT_ANSWERS, ...TOOLS, ...NUMBERS, ...REASONING, ...REFUSED],
  // The rows above are the only ones that give options.
  answer: (run, origin, tools, options) =>
    aiSdkAnswer(run, origin, tools, options as unknown as FromAiSdkOptions & { readonly setup: AiSdkSetup }),
  entriesOf,
}
