import type { FromLangGraphOptions } from '../../../src/server/models/from-lang-graph.ts'
import { text, toolUse, underOneNumber } from './anthropic-wire.ts'
import { completions, gemini, messages, ollama, responses, streamed, type ChatWire, type Said } from './chat-wires.ts'
import type { VendorAnswer } from '../vendor-server.ts'
import { graphAnswer, type Calling, type GraphSetup } from './graph-models.ts'
import { entriesOf } from './request-entries.ts'
import type { ModelHelper, ModelRow } from './model-row.ts'

const WIRES: readonly ChatWire[] = [completions, responses, messages, ollama, gemini]
const TEXT = 'Rivers meander.'

/** A row of one model, called in one way. */
function row(
  wire: ChatWire,
  how: Calling,
  row: Omit<ModelRow, 'answers' | 'options'> & {
    readonly answers: ModelRow['answers']
    readonly options?: FromLangGraphOptions & Omit<Partial<GraphSetup>, 'wire' | 'how'>
  },
): ModelRow {
  const { graph, passesConfig, hasSlowCallback, ...options } = row.options ?? {}
  const setup: GraphSetup = {
    wire: wire.name,
    how,
    ...(graph && { graph }),
    ...(passesConfig === false && { passesConfig }),
    ...(hasSlowCallback === true && { hasSlowCallback }),
  }
  return { ...row, input: `${wire.name} by ${how}: ${row.input}`, options: { ...options, setup } }
}

const WHOLE: readonly ModelRow[] = WIRES.flatMap((wire) => [
  ...(['invoke', 'stream'] as const).map((how) =>
    row(wire, how, {
      input: 'a whole answer',
      answers: [streamed(wire)],
      options: { requireFinishReason: true },
      ends: 'complete',
      shows: [TEXT],
      requests: 1,
    }),
  ),
  ...(wire.whole === undefined
    ? []
    : [
        row(wire, 'whole', {
          input: 'a whole answer',
          answers: [wire.whole({})],
          options: { requireFinishReason: true },
          ends: 'complete',
          shows: [TEXT],
        }),
      ]),
])

const CUT: readonly (readonly [ChatWire, readonly (readonly [string, string])[]])[] = [
  [
    completions,
    [
      ['length', 'model_output_limit'],
      ['content_filter', 'model_content_filtered'],
      ['model_length', 'model_output_limit'],
      ['insufficient_system_resource', 'finish reason'],
    ],
  ],
  [
    responses,
    [
      ['max_output_tokens', 'model_output_limit'],
      ['content_filter', 'model_content_filtered'],
      ['failed', 'no finish reason'],
    ],
  ],
  [
    messages,
    [
      ['max_tokens', 'model_output_limit'],
      ['refusal', 'model_content_filtered'],
      ['model_context_window_exceeded', 'model_context_too_long'],
      ['pause_turn', 'finish reason pause_turn'],
    ],
  ],
  [
    ollama,
    [
      ['length', 'model_output_limit'],
      ['unload', 'finish reason unload'],
    ],
  ],
  [
    gemini,
    [
      ['MAX_TOKENS', 'model_output_limit'],
      ['SAFETY', 'model_content_filtered'],
      ['PROHIBITED_CONTENT', 'model_content_filtered'],
      ['RECITATION', 'model_content_filtered'],
      ['MALFORMED_FUNCTION_CALL', 'finish reason MALFORMED_FUNCTION_CALL'],
    ],
  ],
]

const CUT_ANSWERS: readonly ModelRow[] = CUT.flatMap(([wire, reasons]) =>
  reasons.flatMap(([reason, ends], at) => {
    const ways = (['invoke', 'stream', 'whole'] as const).slice(0, at === 0 ? 3 : 1)
    return ways.flatMap((how) => {
      const answer = how === 'whole' ? wire.whole?.({ reason }) : streamed(wire, { reason })
      if (answer === undefined) return []
      return [row(wire, how, { input: `ends with ${reason}`, answers: [answer], ends, shows: [TEXT] })]
    })
  }),
)

const UNSEEN: readonly ModelRow[] = [
  ...[completions, responses, messages, gemini].flatMap((wire) => [
    row(wire, 'invoke', {
      input: 'ends without a reason',
      answers: [streamed(wire, { reason: null })],
      ends: 'no finish reason',
      shows: [TEXT],
    }),
    row(wire, 'invoke', {
      input: 'ends without a reason, from a model that never gives one',
      answers: [streamed(wire, { reason: null })],
      options: { requireFinishReason: false },
      ends: 'complete',
      shows: [TEXT],
    }),
  ]),
  row(ollama, 'invoke', {
    input: 'ends without a reason',
    answers: [streamed(ollama, { reason: null })],
    ends: 'Did not receive done',
    shows: [TEXT],
  }),
]

const CALL = { id: 'call-1', name: 'send_email', input: { to: 'ann' } }
const SEND = toolUse(CALL.id, CALL.name, CALL.input)
const SHOWN = '[send_email complete] {"to":"ann"} -> "{\\"ok\\":true}"'

const TOOLS: readonly ModelRow[] = [
  ...[completions, responses, messages, gemini, ollama].map((wire) =>
    row(wire, 'invoke', {
      input: 'a call of a tool, then the answer',
      answers: [streamed(wire, { calls: [CALL] }), streamed(wire)],
      options: { graph: 'tools' },
      ends: 'complete',
      shows: [SHOWN, TEXT],
      runs: ['send_email {"to":"ann"}'],
      sends: ['call send_email {"to":"ann"}', 'result {"ok":true}'],
      requests: 2,
    }),
  ),
  row(messages, 'invoke', {
    input: 'thinking with a signature before a call',
    answers: [streamed(messages, { thought: 'I mail.', signature: 'signed-1', calls: [CALL] }), streamed(messages)],
    options: { graph: 'tools' },
    ends: 'complete',
    shows: ['[thought complete] I mail.', SHOWN, TEXT],
    runs: ['send_email {"to":"ann"}'],
    sends: ['thinking I mail. signed-1', 'call send_email {"to":"ann"}', 'result {"ok":true}'],
  }),
  row(completions, 'invoke', {
    input: 'text before a call, and text after it',
    answers: [streamed(completions, { text: ['Let me see.'], calls: [CALL] }), streamed(completions)],
    options: { graph: 'tools' },
    ends: 'complete',
    shows: ['Let me see.', SHOWN, TEXT],
    runs: ['send_email {"to":"ann"}'],
    sends: ['text Let me see.', 'call send_email {"to":"ann"}', 'result {"ok":true}'],
  }),
  row(completions, 'invoke', {
    input: 'a call with arguments joined {..}{..}',
    answers: [streamed(completions, { calls: [{ ...CALL, input: '{"to":"ann"}{"to":"bob"}' }] })],
    options: { graph: 'tools' },
    ends: 'an input that is not JSON',
    shows: [],
    requests: 1,
  }),
  row(completions, 'invoke', {
    input: 'a call that is cut, in a hidden node',
    answers: [streamed(completions, { calls: [{ ...CALL, input: '{"to":"an' }], reason: 'length' })],
    options: { graph: 'tools', hiddenNodes: ['model'] },
    ends: 'an input that is not JSON',
    shows: [],
    requests: 1,
  }),
  row(completions, 'invoke', {
    input: 'a call that is cut behind a whole member, in a hidden node',
    answers: [streamed(completions, { calls: [{ ...CALL, input: '{"to":"ann"}' }], reason: 'length' })],
    options: { graph: 'tools', hiddenNodes: ['model'] },
    ends: 'model_output_limit',
    shows: [],
    requests: 1,
  }),
  row(completions, 'invoke', {
    input: 'a call that is cut, of a model that need not give a reason',
    answers: [streamed(completions, { calls: [{ ...CALL, input: '{"to":"an' }], reason: null })],
    options: { graph: 'tools', requireFinishReason: false },
    ends: 'an input that is not JSON',
    shows: [],
    requests: 1,
  }),
  row(completions, 'invoke', {
    input: 'a call that the graph does not carry out',
    answers: [streamed(completions, { calls: [CALL] })],
    ends: 'without a result of its call of send_email',
    shows: ['[send_email running] {"to":"ann"}'],
    requests: 1,
  }),
  row(completions, 'invoke', {
    input: 'a call of a tool that does not exist',
    answers: [streamed(completions, { calls: [{ ...CALL, name: 'tasks.add' }] }), streamed(completions)],
    options: { graph: 'tools' },
    ends: 'complete',
    shows: ['[tasks.add failed] {"to":"ann"} -> "The tool failed."', TEXT],
    sends: ['call tasks.add {"to":"ann"}', 'result Error: Tool "tasks.add" not found.\n Please fix your mistakes.'],
  }),
  row(completions, 'invoke', {
    input: 'a tool that throws',
    answers: [streamed(completions, { calls: [{ ...CALL, name: 'throws' }] }), streamed(completions)],
    options: { graph: 'tools' },
    ends: 'complete',
    shows: ['[throws failed] {"to":"ann"} -> "The tool failed."', TEXT],
    runs: ['throws {"to":"ann"}'],
    sends: ['call throws {"to":"ann"}', 'result Error: canary\n Please fix your mistakes.'],
  }),
  row(completions, 'invoke', {
    input: 'the answer after a call is cut',
    answers: [streamed(completions, { calls: [CALL] }), streamed(completions, { reason: 'length' })],
    options: { graph: 'tools' },
    ends: 'model_output_limit',
    shows: [SHOWN, TEXT],
    runs: ['send_email {"to":"ann"}'],
    sends: ['call send_email {"to":"ann"}', 'result {"ok":true}'],
  }),
  ...(
    [
      ['date', '"1970-01-01T00:00:00.000Z"'],
      ['not_a_number', 'null'],
      ['map', '{}'],
      ['instance', '{"x":1}'],
      ['buffer', '{"type":"Buffer","data":[97]}'],
      ['nothing', ''],
    ] as const
  ).map(([name, result]) =>
    row(completions, 'invoke', {
      input: `a tool that returns ${name}`,
      answers: [streamed(completions, { calls: [{ id: 'call-1', name, input: {} }] }), streamed(completions)],
      options: { graph: 'tools' },
      ends: 'complete',
      shows: [`[${name} complete] {} -> ${JSON.stringify(result)}`, TEXT],
      runs: [`${name} {}`],
      sends: [`call ${name} {}`, `result ${result}`],
    }),
  ),
]

/** Anthropic numbers its blocks, and some gateways do not. */
const NUMBERS: readonly ModelRow[] = [
  row(messages, 'invoke', {
    input: 'two texts under one number',
    answers: [underOneNumber([text('One. '), text('Two.')])],
    ends: 'complete',
    shows: ['One. Two.'],
  }),
  row(messages, 'invoke', {
    input: 'a text and a call under one number',
    answers: [underOneNumber([text('I mail.'), SEND], 'tool_use'), streamed(messages)],
    options: { graph: 'tools' },
    ends: 'complete',
    shows: ['I mail.', SHOWN, TEXT],
    runs: ['send_email {"to":"ann"}'],
    sends: ['text I mail.', 'call send_email {"to":"ann"}', 'result {"ok":true}'],
  }),
  row(messages, 'invoke', {
    input: 'two calls under one number',
    answers: [underOneNumber([SEND, toolUse('call-2', 'send_email', { to: 'bob' })], 'tool_use')],
    options: { graph: 'tools' },
    ends: 'an input that is not JSON',
    shows: [],
  }),
]

const GROUPED: Said = { isGrouped: true, thought: 'Bends wander.', text: ['They ', 'meander ', 'here.'] }
const GROUPED_TEXT = 'They meander here.'

/** LangChain streams only the first text of an event of Gemini that has more than text in it. */
const GEMINI_PARTS: readonly ModelRow[] = [
  ...(['invoke', 'stream', 'whole'] as const).flatMap((how) => {
    const answer = (said: Said): VendorAnswer =>
      how === 'whole' ? (gemini.whole?.(said) ?? { status: 500, body: {} }) : streamed(gemini, said)
    return [
      row(gemini, how, {
        input: 'a thought and several pieces of text in one event',
        answers: [answer(GROUPED)],
        ends: 'complete',
        shows: [GROUPED_TEXT],
      }),
      row(gemini, how, {
        input: 'several pieces of text in one event, the first of which is empty',
        answers: [answer({ ...GROUPED, text: ['', 'Meander.'] })],
        ends: 'complete',
        shows: ['Meander.'],
      }),
      row(gemini, how, {
        input: 'several pieces of text in one event of an answer that is cut',
        answers: [answer({ ...GROUPED, reason: 'MAX_TOKENS' })],
        ends: 'model_output_limit',
        shows: [GROUPED_TEXT],
      }),
      row(gemini, how, {
        input: 'text before a call and text behind it in one event',
        answers: [answer({ isGrouped: true, text: ['I mail. ', 'Now.'], calls: [CALL] }), answer({})],
        options: { graph: 'tools' },
        ends: 'complete',
        shows: ['I mail. Now.', SHOWN, TEXT],
        runs: ['send_email {"to":"ann"}'],
        sends: ['text I mail. ', 'text Now.', 'call send_email {"to":"ann"}', 'result {"ok":true}'],
      }),
      row(gemini, how, {
        input: 'several pieces of text in one event, of the first of two nodes',
        answers: [answer(GROUPED), answer({ text: ['Two.'] })],
        options: { graph: 'two' },
        ends: 'complete',
        shows: [`${GROUPED_TEXT}\n\nTwo.`],
        sends: ['thinking Bends wander.', 'text They ', 'text meander ', 'text here.'],
      }),
    ]
  }),
  row(gemini, 'invoke', {
    input: 'several pieces of text in one event, and more text in the next one',
    answers: [
      gemini.answer([...gemini.events({ ...GROUPED, reason: null }), ...gemini.events({ text: [' Slowly.'] })]),
    ],
    ends: 'the text that it streamed is not the text of its message',
    shows: ['They  Slowly.'],
  }),
]

const NODES: readonly ModelRow[] = [
  ...[completions, gemini].map((wire) =>
    row(wire, 'invoke', {
      input: 'a graph inside a graph that streams its subgraphs',
      answers: [streamed(wire, { text: ['I mail.'], calls: [CALL] }), streamed(wire)],
      options: { graph: 'inside' },
      ends: 'complete',
      shows: ['I mail.', SHOWN, TEXT],
      runs: ['send_email {"to":"ann"}'],
      sends: ['text I mail.', 'call send_email {"to":"ann"}', 'result {"ok":true}'],
    }),
  ),
  row(completions, 'invoke', {
    input: 'two nodes that say something each',
    answers: [streamed(completions, { text: ['One.'] }), streamed(completions, { text: ['Two.'] })],
    options: { graph: 'two' },
    ends: 'complete',
    shows: ['One.\n\nTwo.'],
    sends: ['text One.'],
  }),
  row(completions, 'invoke', {
    input: 'two nodes, of a gateway that gives each response the same id',
    answers: [
      streamed(completions, { id: 'same', text: ['One.'] }),
      streamed(completions, { id: 'same', text: ['Two.'] }),
    ],
    options: { graph: 'two' },
    ends: 'complete',
    shows: ['One.\n\nTwo.'],
    sends: ['text One.'],
  }),
  row(completions, 'invoke', {
    input: 'two nodes, the first of which is cut',
    answers: [streamed(completions, { text: ['One'], reason: 'length' }), streamed(completions, { text: ['Two.'] })],
    options: { graph: 'two' },
    ends: 'model_output_limit',
    shows: ['One'],
    requests: 1,
  }),
  row(completions, 'invoke', {
    input: 'a node that is hidden',
    answers: [streamed(completions, { text: ['One.'] }), streamed(completions, { text: ['Two.'] })],
    options: { graph: 'two', hiddenNodes: ['model'] },
    ends: 'complete',
    shows: ['Two.'],
    sends: ['text One.'],
  }),
  row(completions, 'invoke', {
    input: 'a model whose text goes to its node alone',
    answers: [streamed(completions), streamed(completions, { text: ['yes'], reason: 'length' })],
    options: { graph: 'inner' },
    ends: 'model_output_limit',
    shows: [`${TEXT}\n\nyes`],
    sends: [`text ${TEXT}`],
  }),
  row(completions, 'invoke', {
    input: 'the same, in a hidden node',
    answers: [streamed(completions), streamed(completions, { text: ['yes'], reason: 'length' })],
    options: { graph: 'inner', hiddenNodes: ['router'] },
    ends: 'complete',
    shows: [TEXT],
    sends: [`text ${TEXT}`],
  }),
  row(completions, 'invoke', {
    input: 'the same, of a model that LangGraph does not stream',
    answers: [streamed(completions), streamed(completions, { text: ['yes'], reason: 'length' })],
    options: { graph: 'nostream' },
    ends: 'complete',
    shows: [TEXT],
    sends: [`text ${TEXT}`],
  }),
]

/** The first chunk names the role, and is lost. */
const WITHOUT_ROLE: readonly ModelRow[] = [
  row(completions, 'invoke', {
    input: 'a response that names no role',
    answers: [completions.answer(completions.events({}).slice(1))],
    ends: 'complete',
    shows: [TEXT],
  }),
]

/** An app that passes nothing on has the reasons that LangGraph streams by itself: an answer without one fails. */
const WITHOUT_CONFIG: readonly ModelRow[] = [
  row(messages, 'invoke', {
    input: 'a whole answer, and no callbacks',
    answers: [streamed(messages)],
    options: { passesConfig: false },
    ends: 'complete',
    shows: [TEXT],
  }),
  row(ollama, 'invoke', {
    input: 'a whole answer, and no callbacks',
    answers: [streamed(ollama)],
    options: { passesConfig: false },
    ends: 'complete',
    shows: [TEXT],
  }),
  row(messages, 'invoke', {
    input: 'a cut answer, and no callbacks',
    answers: [streamed(messages, { reason: 'max_tokens' })],
    options: { passesConfig: false },
    ends: 'model_output_limit',
    shows: [TEXT],
  }),
  row(completions, 'invoke', {
    input: 'an answer whose reason LangGraph does not stream, and no callbacks',
    answers: [streamed(completions)],
    options: { passesConfig: false },
    ends: 'Pass the second argument of the source on',
    shows: [TEXT],
  }),
]

/** LangChain runs callbacks that it does not wait for one after the other, and LangGraph streams messages by one of them. */
const WITH_SLOW_CALLBACK: readonly ModelRow[] = [
  row(completions, 'invoke', {
    input: 'a callback of the app that holds up what LangGraph streams',
    answers: [streamed(completions)],
    options: { hasSlowCallback: true },
    ends: 'the graph did not stream its text',
    shows: [],
  }),
]

const error = (message: string, more: object = {}): object => ({ error: { message: `sk-canary ${message}`, ...more } })
const said = (wire: ChatWire, cut: Said, ends: 'close' | 'reset'): ModelRow['answers'] => [
  { ...wire.answer(wire.events({ ...cut, reason: null })), ends },
]

const REFUSED: readonly ModelRow[] = [
  ...WIRES.flatMap((wire) => [
    row(wire, 'invoke', {
      input: 'refuses the key',
      answers: [{ status: 401, body: error('wrong') }],
      ends: 'model_unauthorized',
      shows: [],
    }),
    row(wire, 'invoke', {
      input: 'is overloaded',
      answers: [{ status: 503, body: error('busy') }],
      ends: 'model_unavailable',
      shows: [],
    }),
    row(wire, 'invoke', {
      input: 'limits the rate',
      answers: [{ status: 429, body: error('slow down', { type: 'rate_limit_error' }) }],
      ends: 'model_rate_limited',
      shows: [],
    }),
  ]),
  // Without Gemini: its SDK rejects a promise that nobody can handle when a stream breaks.
  ...(
    [
      [completions, ''],
      [responses, 'model_unavailable'],
      [messages, 'model_unavailable'],
      [ollama, 'model_unavailable'],
    ] as const
  ).map(([wire, ends]) =>
    row(wire, 'invoke', { input: 'breaks off', answers: said(wire, {}, 'reset'), ends, shows: [TEXT] }),
  ),
  row(completions, 'invoke', {
    input: 'has no quota left',
    answers: [{ status: 429, body: error('quota', { code: 'insufficient_quota', type: 'insufficient_quota' }) }],
    ends: 'model_quota_exceeded',
    shows: [],
  }),
  row(completions, 'invoke', {
    input: 'finds the conversation too long',
    answers: [{ status: 400, body: error('too long', { code: 'context_length_exceeded' }) }],
    ends: 'model_context_too_long',
    shows: [],
  }),
  row(messages, 'invoke', {
    input: 'finds the conversation too long',
    answers: [
      {
        status: 400,
        body: {
          type: 'error',
          error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
        },
      },
    ],
    ends: 'model_context_too_long',
    shows: [],
  }),
  row(completions, 'invoke', {
    input: 'filters the prompt',
    answers: [{ status: 400, body: error('filtered', { code: 'content_filter' }) }],
    ends: 'model_content_filtered',
    shows: [],
  }),
]

export const FROM_LANG_GRAPH: ModelHelper = {
  name: 'fromLangGraph',
  rows: [
    ...WHOLE,
    ...CUT_ANSWERS,
    ...UNSEEN,
    ...TOOLS,
    ...NUMBERS,
    ...GEMINI_PARTS,
    ...NODES,
    ...WITHOUT_ROLE,
    ...WITHOUT_CONFIG,
    ...WITH_SLOW_CALLBACK,
    ...REFUSED,
  ],
  // The rows above are the only ones that give options.
  answer: (run, origin, tools, options) =>
    graphAnswer(run, origin, tools, options as unknown as FromLangGraphOptions & { readonly setup: GraphSetup }),
  entriesOf,
}
