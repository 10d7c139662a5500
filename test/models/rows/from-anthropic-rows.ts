import { anthropicMessages, fromAnthropic } from '../../../src/server-models.ts'
import type { AnthropicStream } from '../../../src/server/models/from-anthropic.ts'
import type { ModelHelper, ModelRow } from './model-row.ts'
import { RESULT_ROWS } from './row-tools.ts'
import { VENDOR_SDKS } from './vendor-sdks.ts'
import {
  blockEvents,
  ended,
  messageDelta,
  messageEvents,
  START,
  STOP,
  text,
  thinking,
  toolUse,
  whole,
  type WireBlock,
  type WireEvent,
} from './anthropic-wire.ts'

const TEXT = 'Rivers meander in bends.'
const DONE = whole(text('Done.'))
const SEND = toolUse('call-1', 'send_email', { to: 'ann' })
const SENT = ['send_email {"to":"ann"}']
const RESULT = 'user tool_result call-1 {"ok":true}'
const SENT_BACK = ['assistant tool_use call-1 send_email {"to":"ann"}', RESULT]
const SEND_SHOWN = '[send_email complete] {"to":"ann"} -> {"ok":true}'
const URL = 'https://rivers.test/a'

/** Your own message events between its start and its end. */
function around(events: readonly WireEvent[], stopReason = 'end_turn') {
  return { events: [START, ...events, messageDelta(stopReason), STOP] }
}

const TEXTS: readonly ModelRow[] = [
  { input: 'a text', answers: [whole(text(TEXT))], ends: 'complete', shows: [TEXT], requests: 1 },
  { input: 'two texts', answers: [whole(text('One. '), text('Two.'))], ends: 'complete', shows: ['One. Two.'] },
  {
    input: 'a text that its block begins with',
    answers: [
      around([
        { type: 'content_block_start', index: 0, content_block: text(TEXT) },
        { type: 'content_block_stop', index: 0 },
      ]),
    ],
    ends: 'complete',
    shows: [TEXT],
  },
  {
    input: 'thinking and text',
    answers: [whole(thinking('Bends wander.'), text(TEXT))],
    ends: 'complete',
    shows: ['[thought complete] Bends wander.', TEXT],
  },
  { input: 'a stop sequence', answers: [ended('stop_sequence', text(TEXT))], ends: 'complete', shows: [TEXT] },
  {
    input: 'a second message_delta with usage only',
    answers: [{ events: [...messageEvents([text(TEXT)]).slice(0, -1), messageDelta(null, 9), STOP] }],
    ends: 'complete',
    shows: [TEXT],
  },
  {
    input: 'a second message_delta without a delta',
    answers: [
      {
        events: [
          ...messageEvents([text(TEXT)]).slice(0, -1),
          { type: 'message_delta', usage: { output_tokens: 9 } },
          STOP,
        ],
      },
    ],
    ends: 'complete',
    shows: [TEXT],
  },
  {
    input: 'deltas without their text',
    answers: [
      around([
        { type: 'content_block_start', index: 0, content_block: text('') },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta' } },
        { type: 'content_block_stop', index: 0 },
      ]),
    ],
    ends: 'complete',
    shows: [],
  },
  {
    input: 'a connection that stays open behind the end',
    answers: [{ events: messageEvents([text(TEXT)]), ends: 'hang' }],
    ends: 'complete',
    shows: [TEXT],
  },
  {
    input: 'events that nobody knows',
    answers: [around([{ type: 'weather', degrees: 7 }, ...blockEvents(text(TEXT), 0)])],
    ends: 'complete',
    shows: [TEXT],
  },
]

const ENDINGS: readonly ModelRow[] = [
  ...[
    ['max_tokens', 'model_output_limit'],
    ['refusal', 'model_content_filtered'],
    ['model_context_window_exceeded', 'model_context_too_long'],
    ['moon', 'finish reason moon'],
  ].map(([reason = '', ends = '']): ModelRow => ({
    input: `the stop reason ${reason}`,
    answers: [ended(reason, text(TEXT))],
    ends,
    shows: [TEXT],
  })),
  {
    input: 'no stop reason',
    answers: [{ events: [START, ...blockEvents(text(TEXT), 0), messageDelta(null), STOP] }],
    ends: 'it gave no stop reason',
    shows: [TEXT],
  },
  {
    input: 'two stop reasons',
    answers: [
      { events: [START, ...blockEvents(text(TEXT), 0), messageDelta('end_turn'), messageDelta('tool_use'), STOP] },
    ],
    ends: 'two stop reasons, end_turn and tool_use',
    shows: [TEXT],
  },
  {
    input: 'a stream without an end',
    answers: [{ events: messageEvents([text(TEXT)]).slice(0, -1) }],
    ends: 'its stream ended early',
    shows: [TEXT],
  },
  {
    input: 'a connection that breaks',
    answers: [{ events: messageEvents([text(TEXT)]).slice(0, -1), ends: 'reset' }],
    ends: 'model_unavailable',
    shows: [TEXT],
  },
  {
    input: 'an error event',
    answers: [
      {
        events: [
          START,
          ...blockEvents(text(TEXT), 0),
          { type: 'error', error: { type: 'overloaded_error', message: 'canary' } },
        ],
      },
    ],
    ends: 'model_unavailable',
    shows: [TEXT],
  },
  {
    input: 'HTTP 401',
    answers: [{ status: 401, body: { error: { type: 'authentication_error', message: 'canary' } } }],
    ends: 'model_unauthorized',
    shows: [],
  },
  {
    input: 'a text block that never ends',
    answers: [around(blockEvents(text(TEXT), 0).slice(0, -1))],
    ends: 'its text has not ended',
    shows: [TEXT],
  },
  {
    input: 'a delta for a block that never began',
    answers: [around(blockEvents(text(TEXT), 0).slice(1))],
    ends: 'a content_block_delta for a block that never began',
    shows: [],
  },
  {
    input: 'a delta behind the end of its block',
    answers: [around([...blockEvents(text('Rivers.'), 0), ...blockEvents(text('Rivers.'), 0).slice(1, 2)])],
    ends: 'a text_delta for its text, which has ended',
    shows: ['Rivers.'],
  },
  {
    input: 'a second message in the stream',
    answers: [around([...blockEvents(text('Rivers.'), 0), START, ...blockEvents(text('Rivers.'), 0)])],
    ends: 'a second message began',
    shows: ['Rivers.'],
  },
  {
    input: 'a block that nobody knows',
    answers: [whole(text(TEXT), { type: 'dream', id: 'd-1' })],
    ends: 'dream is a block that fromAnthropic cannot carry out',
    shows: [TEXT],
  },
  {
    input: 'a delta that nobody knows',
    answers: [
      around([
        { type: 'content_block_start', index: 0, content_block: text('') },
        { type: 'content_block_delta', index: 0, delta: { type: 'dream_delta' } },
        { type: 'content_block_stop', index: 0 },
      ]),
    ],
    ends: 'a dream_delta for its text',
    shows: [],
  },
]

const CALLS: readonly ModelRow[] = [
  {
    input: 'a call',
    answers: [whole(SEND), DONE],
    ends: 'complete',
    shows: [SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: SENT_BACK,
    requests: 2,
  },
  {
    input: 'a call that ends by end_turn',
    answers: [ended('end_turn', SEND), DONE],
    ends: 'complete',
    shows: [SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: SENT_BACK,
  },
  {
    input: 'a call that a limit cuts',
    answers: [around(blockEvents(SEND, 0).slice(0, -2), 'max_tokens')],
    ends: 'model_output_limit',
    shows: [],
  },
  {
    input: 'a call that never ends',
    answers: [around(blockEvents(SEND, 0).slice(0, -1), 'tool_use')],
    ends: 'its tool_use has not ended',
    shows: [],
  },
  {
    input: 'a call that begins with its whole input',
    answers: [
      around(
        [
          { type: 'content_block_start', index: 0, content_block: SEND },
          { type: 'content_block_stop', index: 0 },
        ],
        'tool_use',
      ),
      DONE,
    ],
    ends: 'complete',
    shows: [SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: SENT_BACK,
  },
  {
    input: 'a call that begins with its whole input, and needs approval',
    answers: [
      around(
        [
          { type: 'content_block_start', index: 0, content_block: toolUse('call-1', 'ask_first', { to: 'ann' }) },
          { type: 'content_block_stop', index: 0 },
        ],
        'tool_use',
      ),
      DONE,
    ],
    decides: ['allow'],
    ends: 'complete',
    shows: ['[ask_first complete] {"to":"ann"} -> "sent"', '[prompt answered]', 'Done.'],
    runs: ['ask_first {"to":"ann"}'],
    sends: ['assistant tool_use call-1 ask_first {"to":"ann"}', 'user tool_result call-1 sent'],
  },
  {
    input: 'a call whose input comes both ways',
    answers: [
      around(
        blockEvents(SEND, 0).map((event) =>
          event.type === 'content_block_start' ? { ...event, content_block: SEND } : event,
        ),
        'tool_use',
      ),
      DONE,
    ],
    ends: 'complete',
    shows: [SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: SENT_BACK,
  },
  {
    input: 'a call with two different inputs',
    answers: [
      around(
        blockEvents(SEND, 0).map((event) =>
          event.type === 'content_block_start' ? { ...event, content_block: { ...SEND, input: { to: 'bob' } } } : event,
        ),
        'tool_use',
      ),
    ],
    ends: 'its tool_use has two inputs',
    shows: [],
  },
  {
    input: 'a call without an input',
    answers: [whole(toolUse('call-1', 'nothing', '')), DONE],
    ends: 'complete',
    shows: ['[nothing complete] {}', 'Done.'],
    runs: ['nothing {}'],
    sends: ['assistant tool_use call-1 nothing {}', 'user tool_result call-1 null'],
  },
  {
    input: 'blocks numbered 0 and 2',
    answers: [around([...blockEvents(thinking('Mail.'), 0), ...blockEvents(SEND, 2)], 'tool_use'), DONE],
    ends: 'complete',
    shows: ['[thought complete] Mail.', SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: ['assistant thinking Mail. signed, tool_use call-1 send_email {"to":"ann"}', RESULT],
  },
  {
    input: 'a text with the number of an earlier one',
    answers: [around([...blockEvents(text('One. '), 1), ...blockEvents(text('Two.'), 1)])],
    ends: 'complete',
    shows: ['One. Two.'],
  },
  {
    input: 'two calls under one number, one after the other',
    answers: [
      around([...blockEvents(SEND, 0), ...blockEvents(toolUse('call-2', 'send_email', { to: 'bob' }), 0)], 'tool_use'),
      DONE,
    ],
    ends: 'complete',
    shows: [SEND_SHOWN, '[send_email complete] {"to":"bob"} -> {"ok":true}', 'Done.'],
    runs: [...SENT, 'send_email {"to":"bob"}'],
    sends: [
      'assistant tool_use call-1 send_email {"to":"ann"}, tool_use call-2 send_email {"to":"bob"}',
      'user tool_result call-1 {"ok":true}, tool_result call-2 {"ok":true}',
    ],
  },
  {
    input: 'two calls under one number, at once',
    answers: [
      around(
        [
          ...blockEvents(SEND, 0).slice(0, 1),
          ...blockEvents(toolUse('call-2', 'send_email', { to: 'bob' }), 0).slice(0, 1),
          ...blockEvents(SEND, 0).slice(1),
        ],
        'tool_use',
      ),
    ],
    ends: 'its tool_use has not ended',
    shows: [],
  },
  { input: 'two calls with one id', answers: [whole(SEND, SEND)], ends: 'gave two calls the id call-1', shows: [] },
  {
    input: 'the inputs of two calls in one',
    answers: [whole(toolUse('call-1', 'send_email', '{"to":"ann"}{"to":"bob"}')), DONE],
    ends: 'complete',
    shows: ['[send_email failed] "{\\"to\\":\\"ann\\"}{\\"to\\":\\"bob\\"}" -> "The input is not JSON."', 'Done.'],
    sends: ['assistant tool_use call-1 send_email {}', 'user tool_result call-1 The input is not JSON. (error)'],
  },
  ...['sendmail', 'Send_Email', 'tasks.add', 'toString'].map((name): ModelRow => {
    const told = `There is no tool "${name}". The tools are: send_email, ask_first.`
    return {
      input: `a call of ${name}, which is no tool`,
      answers: [whole(toolUse('call-1', name, {})), DONE],
      tools: ['send_email', 'ask_first'],
      ends: 'complete',
      shows: [`[${name} failed] {} -> ${JSON.stringify(told)}`, 'Done.'],
      sends: [`assistant tool_use call-1 ${name} {}`, `user tool_result call-1 ${told} (error)`],
    }
  }),
  {
    input: 'a call, and no tools at all',
    answers: [whole(SEND)],
    tools: [],
    ends: 'it called send_email, and the helper was given no tools',
    shows: [],
    requests: 1,
  },
  {
    input: 'a call that the user does not allow',
    answers: [whole(toolUse('call-1', 'ask_first', { to: 'ann' })), DONE],
    decides: ['reject'],
    ends: 'complete',
    shows: ['[ask_first denied] {"to":"ann"}', '[prompt answered]', 'Done.'],
    sends: [
      'assistant tool_use call-1 ask_first {"to":"ann"}',
      'user tool_result call-1 The user did not allow it. (error)',
    ],
  },
  {
    input: 'the same call in every message',
    answers: [whole(SEND)],
    options: { maxRounds: 3 },
    ends: 'model_step_limit',
    shows: [SEND_SHOWN, SEND_SHOWN],
    runs: [...SENT, ...SENT],
    sends: [...SENT_BACK, ...SENT_BACK],
    requests: 3,
  },
  {
    input: 'the reason tool_use without a call',
    answers: [ended('tool_use', text(TEXT))],
    ends: 'stopped for a tool and called none',
    shows: [TEXT],
    requests: 1,
  },
  ...RESULT_ROWS.map(({ name, status, shown, told }): ModelRow => ({
    input: `a call of a tool that returns: ${name}`,
    answers: [whole(toolUse('call-1', name, {})), DONE],
    ends: 'complete',
    shows: [`[${name} ${status}] {}${shown}`, 'Done.'],
    runs: [`${name} {}`],
    sends: [
      `assistant tool_use call-1 ${name} {}`,
      `user tool_result call-1 ${told}${status === 'failed' ? ' (error)' : ''}`,
    ],
  })),
]

const PAUSES: readonly ModelRow[] = [
  {
    input: 'a pause',
    answers: [ended('pause_turn', text('Rivers ')), whole(text('meander.'))],
    ends: 'complete',
    shows: ['Rivers meander.'],
    sends: ['assistant text Rivers '],
    requests: 2,
  },
  {
    input: 'a pause in every message',
    answers: [ended('pause_turn', text('Rivers '))],
    options: { maxRounds: 2 },
    ends: 'model_step_limit',
    shows: ['Rivers Rivers '],
    sends: ['assistant text Rivers '],
    requests: 2,
  },
  {
    input: 'a pause without anything new',
    answers: [ended('pause_turn', text(''))],
    ends: 'pause_turn without anything new',
    shows: [],
    requests: 1,
  },
  {
    input: 'a search that a pause parts from its result',
    answers: [
      ended('pause_turn', { type: 'server_tool_use', id: 's-1', name: 'web_search', input: { query: 'bends' } }),
      whole({ type: 'web_search_tool_result', tool_use_id: 's-1', content: [] }, text(TEXT)),
    ],
    ends: 'complete',
    shows: ['[web_search complete] {"query":"bends"}', TEXT],
    sends: ['assistant server_tool_use s-1 web_search {"query":"bends"}'],
  },
  {
    input: 'an MCP call that a pause parts from its result',
    answers: [
      ended('pause_turn', { type: 'mcp_tool_use', id: 'm-1', name: 'book', server_name: 'desks', input: { desk: 7 } }),
      whole(
        { type: 'mcp_tool_result', tool_use_id: 'm-1', is_error: false, content: [{ type: 'text', text: 'booked' }] },
        text(TEXT),
      ),
    ],
    ends: 'complete',
    shows: ['[book complete] {"desk":7} -> "booked"', TEXT],
    sends: ['assistant mcp_tool_use m-1 book {"desk":7}'],
  },
  {
    input: 'a compaction',
    answers: [
      ended('compaction', { type: 'compaction', content: 'So far: bends.', encrypted_content: 'sealed' }),
      whole(text(TEXT)),
    ],
    ends: 'complete',
    shows: [TEXT],
    sends: ['assistant compaction So far: bends. sealed'],
  },
  {
    input: 'a search without a result',
    answers: [whole({ type: 'server_tool_use', id: 's-1', name: 'web_search', input: { query: 'bends' } }, text(TEXT))],
    ends: 'its server tool call s-1 has no result',
    shows: ['[web_search running] {"query":"bends"}', TEXT],
  },
  {
    input: 'a result without a call',
    answers: [whole({ type: 'web_search_tool_result', tool_use_id: 's-1', content: [] }, text(TEXT))],
    ends: 'its web_search_tool_result belongs to no call',
    shows: [],
  },
]

function served(name: string, content: unknown, status: string, shown = '', more: readonly string[] = []): ModelRow {
  const call: WireBlock = { type: 'server_tool_use', id: 's-1', name, input: { q: 1 } }
  const type = isRecord(content) ? String(content['type']) : 'a list'
  return {
    input: `${name}: ${type}`,
    answers: [whole(call, { type: `${name}_tool_result`, tool_use_id: 's-1', content }, text(TEXT))],
    ends: 'complete',
    shows: [`[${name} ${status}] {"q":1}${shown}`, ...more, TEXT],
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function cited(input: string, citation: object, shown: string): ModelRow {
  return { input, answers: [whole(text(TEXT, [citation]))], ends: 'complete', shows: [TEXT, `[sources] ${shown}`] }
}

const SERVER_TOOLS: readonly ModelRow[] = [
  served('web_search', [{ type: 'web_search_result', url: URL, title: 'Bends' }], 'complete', '', [
    `[sources] Bends <${URL}>`,
  ]),
  served(
    'web_search',
    { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
    'failed',
    ' -> "max_uses_exceeded"',
  ),
  served(
    'web_fetch',
    { type: 'web_fetch_result', url: URL, content: { type: 'document', title: 'Bends' } },
    'complete',
    '',
    [`[sources] Bends <${URL}>`],
  ),
  served(
    'web_fetch',
    { type: 'web_fetch_tool_result_error', error_code: 'url_not_accessible' },
    'failed',
    ' -> "url_not_accessible"',
  ),
  served(
    'code_execution',
    { type: 'code_execution_result', stdout: '2', stderr: '', return_code: 0, content: [] },
    'complete',
    ' -> {"stdout":"2","stderr":"","return_code":0}',
  ),
  served(
    'bash_code_execution',
    { type: 'bash_code_execution_tool_result_error', error_code: 'unavailable' },
    'failed',
    ' -> "unavailable"',
  ),
  served('tool_search', { type: 'tool_search_tool_search_result', tool_references: [] }, 'complete'),
  {
    input: 'web_search: results without titles',
    answers: [
      whole(
        { type: 'server_tool_use', id: 's-1', name: 'web_search', input: {} },
        {
          type: 'web_search_tool_result',
          tool_use_id: 's-1',
          content: [
            { type: 'web_search_result', url: URL },
            { type: 'web_search_result', url: `${URL}b`, title: null },
          ],
        },
        text(TEXT),
      ),
    ],
    ends: 'complete',
    shows: ['[web_search complete] {}', `[sources] ${URL} <${URL}>, ${URL}b <${URL}b>`, TEXT],
  },
  {
    input: 'a search result and a text, both with the number 1',
    answers: [
      around(
        [
          ...blockEvents({ type: 'server_tool_use', id: 's-1', name: 'web_search', input: { query: 'bends' } }, 0),
          ...blockEvents({ type: 'web_search_tool_result', tool_use_id: 's-1', content: [] }, 1),
          ...blockEvents(text('I mail. '), 1),
          ...blockEvents(SEND, 2),
        ],
        'tool_use',
      ),
      DONE,
    ],
    ends: 'complete',
    shows: ['[web_search complete] {"query":"bends"}', 'I mail. ', SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: [
      'assistant server_tool_use s-1 web_search {"query":"bends"}, web_search_tool_result s-1 [], text I mail. , tool_use call-1 send_email {"to":"ann"}',
      RESULT,
    ],
  },
  {
    input: 'an MCP call that fails',
    answers: [
      whole(
        { type: 'mcp_tool_use', id: 'm-1', name: 'book', server_name: 'desks', input: { desk: 7 } },
        {
          type: 'mcp_tool_result',
          tool_use_id: 'm-1',
          is_error: true,
          content: [{ type: 'text', text: 'No such desk' }],
        },
        text('It failed.'),
      ),
    ],
    ends: 'complete',
    shows: ['[book failed] {"desk":7} -> "No such desk"', 'It failed.'],
  },
  cited(
    'a citation without a title',
    { type: 'web_search_result_location', url: URL, cited_text: 'x' },
    `${URL} <${URL}>`,
  ),
  cited(
    'a citation with the title null',
    { type: 'web_search_result_location', url: URL, title: null, cited_text: 'x' },
    `${URL} <${URL}>`,
  ),
  cited(
    'a citation of a document',
    { type: 'char_location', document_index: 0, document_title: 'Bends', file_id: null, cited_text: 'x' },
    'Bends <urn:anthropic:document:0>',
  ),
  cited(
    'a citation of a page',
    {
      type: 'page_location',
      document_index: 0,
      document_title: 'Bends',
      file_id: 'file-1',
      start_page_number: 3,
      cited_text: 'x',
    },
    'Bends, p. 3 <urn:anthropic:document:file-1#page=3>',
  ),
  cited(
    'a citation of a file without a title',
    { type: 'content_block_location', document_index: 0, document_title: null, file_id: 'file-1', cited_text: 'x' },
    'file-1 <urn:anthropic:document:file-1>',
  ),
  cited(
    'a citation of a search result',
    { type: 'search_result_location', source: URL, title: 'Bends', cited_text: 'x' },
    `Bends <${URL}>`,
  ),
]

export const FROM_ANTHROPIC: ModelHelper = {
  name: 'fromAnthropic',
  rows: [...TEXTS, ...ENDINGS, ...CALLS, ...PAUSES, ...SERVER_TOOLS],
  async answer(run, origin, tools, options) {
    const client = new VENDOR_SDKS.Anthropic({ apiKey: 'none', baseURL: origin, maxRetries: 0 })
    const messages = await anthropicMessages(run)
    const ask = (added: object[]): AnthropicStream =>
      client.messages.create(
        { model: 'm', max_tokens: 9, messages: [...messages, ...added], stream: true },
        { signal: run.signal },
      )
    return fromAnthropic(ask, run, { tools, ...options })
  },
  entriesOf: ({ messages }) => (Array.isArray(messages) ? messages.map(entryOf) : []),
}

function entryOf({ role, content }: { readonly role: string; readonly content: unknown }): string {
  const blocks = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  return `${role} ${blocks.map(blockEntry).join(', ')}`
}

function blockEntry(block: Readonly<Record<string, unknown>>): string {
  const { type, id, tool_use_id: callId, name, input, content, is_error: isError } = block
  const body = content === undefined || typeof content === 'string' ? content : JSON.stringify(content)
  const sealed = block['encrypted_content'] ?? block['signature'] ?? block['data']
  const shown = [
    type,
    id ?? callId,
    name,
    input && JSON.stringify(input),
    block['text'] ?? block['thinking'] ?? body,
    sealed,
  ]
  return `${shown
    .filter((part) => part !== undefined && part !== null)
    .map(String)
    .join(' ')}${isError === true ? ' (error)' : ''}`
}
