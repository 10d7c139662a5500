import { fromOpenAi, openAiMessages } from '../../../src/server-models.ts'
import type { OpenAiStream } from '../../../src/server/models/from-openai.ts'
import type { ModelHelper, ModelRow } from './model-row.ts'
import { RESULT_ROWS } from './row-tools.ts'
import { VENDOR_SDKS } from './vendor-sdks.ts'
import {
  completed,
  functionCall,
  itemEvents,
  mcpCall,
  mcpRequest,
  message,
  reasoning,
  refusal,
  responseEvents,
  stream,
  whole,
  numbered,
  type WireEvent,
  type WireItem,
} from './openai-wire.ts'

const TEXT = 'Rivers meander in bends.'
const MESSAGE = message(TEXT)
const DONE = whole(message('Done.'))
const SEND = functionCall('call-1', 'send_email', { to: 'ann' })
const SENT = ['send_email {"to":"ann"}']
const SENT_BACK = ['function_call call-1 send_email {"to":"ann"}', 'function_call_output call-1 {"ok":true}']
const SEND_SHOWN = '[send_email complete] {"to":"ann"} -> {"ok":true}'
const WEB_SEARCH = {
  type: 'web_search_call',
  id: 'ws-1',
  status: 'completed',
  action: { type: 'search', query: 'bends' },
}

/** The events of a whole response without those of some types. */
function without(items: readonly WireItem[], ...types: readonly string[]): readonly WireEvent[] {
  return numbered(responseEvents(items).filter(({ type }) => !types.includes(type)))
}

/** Another event at the end. */
function ending(events: readonly WireEvent[], end: WireEvent): readonly WireEvent[] {
  return numbered([...events.slice(0, -1), end])
}

const ITEM_DONE = 'response.output_item.done'
const PART_DONE = 'response.content_part.done'
const DELTA = 'response.output_text.delta'

const WHOLE_TEXTS: readonly ModelRow[] = [
  { input: 'a message', answers: [whole(MESSAGE)], ends: 'complete', shows: [TEXT], requests: 1 },
  {
    input: 'a message, and an empty output at the end',
    answers: [{ events: ending(without([MESSAGE]), completed([])) }],
    ends: 'complete',
    shows: [TEXT],
  },
  {
    input: 'text only in output_text.done',
    answers: [
      {
        events: without([MESSAGE], DELTA, PART_DONE, ITEM_DONE, 'response.output_item.added')
          .slice(0, -1)
          .concat(completed([])),
      },
    ],
    ends: 'complete',
    shows: [TEXT],
  },
  {
    input: 'text only in content_part.done',
    answers: [
      stream(
        {
          type: PART_DONE,
          item_id: 'msg-1',
          output_index: 0,
          content_index: 0,
          part: { type: 'output_text', text: TEXT },
        },
        completed([]),
      ),
    ],
    ends: 'complete',
    shows: [TEXT],
  },
  {
    input: 'text only in output_item.done',
    answers: [stream({ type: ITEM_DONE, output_index: 0, item: MESSAGE }, completed([]))],
    ends: 'complete',
    shows: [TEXT],
  },
  {
    input: 'text only in response.completed',
    answers: [stream(completed([MESSAGE]))],
    ends: 'complete',
    shows: [TEXT],
  },
  { input: 'a refusal', answers: [whole(refusal('I cannot help.'))], ends: 'complete', shows: ['I cannot help.'] },
  {
    input: 'a refusal only in refusal.done',
    answers: [
      stream(
        { type: 'response.refusal.done', item_id: 'msg-1', output_index: 0, content_index: 0, refusal: 'No.' },
        completed([]),
      ),
    ],
    ends: 'complete',
    shows: ['No.'],
  },
  {
    input: 'the last delta of a text is lost',
    answers: [{ events: without([MESSAGE]).filter((event) => event['delta'] !== 'bends.') }],
    ends: 'complete',
    shows: [TEXT],
  },
  {
    input: 'the first delta of a text is lost',
    answers: [{ events: without([MESSAGE]).filter((event) => event['delta'] !== 'Rivers me') }],
    ends: 'repeats its text with other words',
    shows: ['ander in bends.'],
  },
  {
    input: 'a delta comes twice',
    answers: [{ events: without([MESSAGE]).flatMap((event) => (event.type === DELTA ? [event, event] : [event])) }],
    ends: 'repeats its text with other words',
    shows: ['Rivers meRivers meander in ander in bends.bends.'],
  },
  {
    input: 'text that only response.completed repeats, with other words',
    answers: [
      {
        events: ending(
          without([MESSAGE], 'response.output_text.done', PART_DONE, ITEM_DONE),
          completed([message('Rivers meet.')]),
        ),
      },
    ],
    ends: 'repeats its text with other words',
    shows: [TEXT],
  },
  {
    input: 'two messages',
    answers: [whole(message('One. '), message('Two.', { id: 'msg-2' }))],
    ends: 'complete',
    shows: ['One. Two.'],
  },
  {
    input: 'the second of two messages comes first',
    answers: [
      {
        events: numbered([
          ...itemEvents(message('Two.', { id: 'msg-2' }), 1),
          ...itemEvents(message('One. '), 0),
          completed([]),
        ]),
      },
    ],
    ends: 'its text is out of order',
    shows: ['Two.'],
  },
  {
    input: 'ids that change from event to event',
    answers: [
      {
        events: without([reasoning('Bends.'), MESSAGE]).map((event, at) => ({
          ...event,
          ...('item_id' in event && { item_id: `other-${at}` }),
          ...(typeof event['item'] === 'object' && { item: { ...event['item'], id: `other-${at}` } }),
        })),
      },
    ],
    ends: 'complete',
    shows: ['[thought complete] Bends.', TEXT],
  },
  {
    input: 'all items have the output index 0',
    answers: [
      {
        events: without([message('One. '), message('Two.', { id: 'msg-2' })]).map((event) => ({
          ...event,
          ...('output_index' in event && { output_index: 0 }),
        })),
      },
    ],
    ends: 'complete',
    shows: ['One. Two.'],
  },
  {
    input: 'events that nobody knows, and events after the end',
    answers: [
      stream(
        { type: 'response.weather', degrees: 7 },
        ...itemEvents(MESSAGE, 0),
        completed([MESSAGE]),
        ...itemEvents(message('More.', { id: 'msg-2' }), 1),
      ),
    ],
    ends: 'complete',
    shows: [TEXT],
  },
]

const ENDINGS: readonly ModelRow[] = [
  {
    input: 'response.completed with the status incomplete',
    answers: [{ events: ending(without([MESSAGE]), completed([MESSAGE], { status: 'incomplete' })) }],
    ends: 'finish reason incomplete',
    shows: [TEXT],
  },
  {
    input: 'response.completed with the reason of an incomplete one',
    answers: [
      {
        events: ending(
          without([MESSAGE]),
          completed([MESSAGE], { incomplete_details: { reason: 'max_output_tokens' } }),
        ),
      },
    ],
    ends: 'model_output_limit',
    shows: [TEXT],
  },
  {
    input: 'response.completed with a message that is incomplete',
    answers: [whole(message('Rivers', { status: 'incomplete' }))],
    ends: 'its message is incomplete',
    shows: ['Rivers'],
  },
  {
    input: 'response.incomplete',
    answers: [
      {
        events: ending(without([MESSAGE]), {
          type: 'response.incomplete',
          response: { id: 'resp-1', status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
        }),
      },
    ],
    ends: 'model_content_filtered',
    shows: [TEXT],
  },
  {
    input: 'response.failed',
    answers: [
      {
        events: ending(without([MESSAGE]), {
          type: 'response.failed',
          response: { id: 'resp-1', status: 'failed', error: { code: 'server_error', message: 'canary' } },
        }),
      },
    ],
    ends: 'model_unavailable',
    shows: [TEXT],
  },
  {
    input: 'an error event',
    answers: [{ events: ending(without([MESSAGE]), { type: 'error', code: 'server_error', message: 'canary' }) }],
    ends: 'model_unavailable',
    shows: [TEXT],
  },
  {
    input: 'a stream without an end',
    answers: [{ events: without([MESSAGE], 'response.completed') }],
    ends: 'its stream ended early',
    shows: [TEXT],
  },
  {
    input: 'a connection that breaks',
    answers: [{ events: without([MESSAGE], 'response.completed'), ends: 'reset' }],
    ends: 'model_unavailable',
    shows: [TEXT],
  },
  {
    input: 'HTTP 401',
    answers: [{ status: 401, body: { error: { message: 'canary' } } }],
    ends: 'model_unauthorized',
    shows: [],
  },
  {
    input: 'a message that was announced and never ends',
    answers: [{ events: without([MESSAGE], ITEM_DONE, 'response.completed').concat(completed([])) }],
    ends: 'its message has not ended',
    shows: [TEXT],
  },
]

const CALLS: readonly ModelRow[] = [
  {
    input: 'a function call',
    answers: [whole(SEND), DONE],
    ends: 'complete',
    shows: [SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: SENT_BACK,
    requests: 2,
  },
  {
    input: 'a function call only in output_item.done, and an empty output',
    answers: [stream({ type: ITEM_DONE, output_index: 0, item: SEND }, completed([])), DONE],
    ends: 'complete',
    shows: [SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: SENT_BACK,
  },
  {
    input: 'a function call only in response.completed',
    answers: [stream(completed([SEND])), DONE],
    ends: 'complete',
    shows: [SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: SENT_BACK,
  },
  {
    input: 'a function call that never ends',
    answers: [{ events: without([SEND], ITEM_DONE, 'response.completed').concat(completed([])) }],
    ends: 'its function_call has not ended',
    shows: [],
  },
  {
    input: 'pieces of a function call that nothing announces or ends',
    answers: [
      stream(
        { type: 'response.function_call_arguments.delta', item_id: 'fc-1', output_index: 0, delta: '{' },
        completed([]),
      ),
    ],
    ends: 'has not ended',
    shows: [],
  },
  {
    input: 'a function call that ends in progress',
    answers: [whole({ ...SEND, status: 'in_progress' })],
    ends: 'its function_call is in_progress',
    shows: [],
  },
  {
    input: 'a function call that the end repeats with another input',
    answers: [{ events: ending(without([SEND]), completed([functionCall('call-1', 'send_email', { to: 'bob' })])) }],
    ends: 'repeats a function_call with other words',
    shows: [],
  },
  {
    input: 'a function call after text and reasoning',
    answers: [whole(reasoning('Mail is best.', 'sealed'), message('I write. '), SEND), DONE],
    ends: 'complete',
    shows: ['[thought complete] Mail is best.', 'I write. ', SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: ['reasoning rs-1 sealed', 'message msg-1 I write. ', ...SENT_BACK],
  },
  {
    input: 'two calls at once',
    answers: [whole(SEND, functionCall('call-2', 'send_email', { to: 'bob' })), DONE],
    ends: 'complete',
    shows: [SEND_SHOWN, '[send_email complete] {"to":"bob"} -> {"ok":true}', 'Done.'],
    runs: [...SENT, 'send_email {"to":"bob"}'],
    sends: [
      'function_call call-1 send_email {"to":"ann"}',
      'function_call call-2 send_email {"to":"bob"}',
      'function_call_output call-1 {"ok":true}',
      'function_call_output call-2 {"ok":true}',
    ],
  },
  {
    input: 'one call under two ids',
    answers: [whole(SEND, { ...SEND, id: 'fc-other' }), DONE],
    ends: 'complete',
    shows: [SEND_SHOWN, 'Done.'],
    runs: SENT,
    sends: SENT_BACK,
  },
  {
    input: 'two calls with one call id',
    answers: [whole(SEND, { ...functionCall('call-1', 'send_email', { to: 'bob' }), id: 'fc-other' })],
    ends: 'gave two calls the id call-1',
    shows: [],
  },
  {
    input: 'the inputs of two calls in one',
    answers: [whole(functionCall('call-1', 'send_email', '{"to":"ann"}{"to":"bob"}')), DONE],
    ends: 'complete',
    shows: ['[send_email failed] "{\\"to\\":\\"ann\\"}{\\"to\\":\\"bob\\"}" -> "The input is not JSON."', 'Done.'],
    sends: [
      'function_call call-1 send_email {"to":"ann"}{"to":"bob"}',
      'function_call_output call-1 The input is not JSON.',
    ],
  },
  ...['sendmail', 'Send_Email', 'tasks.add', 'toString'].map((name): ModelRow => {
    const told = `There is no tool "${name}". The tools are: send_email, ask_first.`
    return {
      input: `a call of ${name}, which is no tool`,
      answers: [whole(functionCall('call-1', name, {})), DONE],
      tools: ['send_email', 'ask_first'],
      ends: 'complete',
      shows: [`[${name} failed] {} -> ${JSON.stringify(told)}`, 'Done.'],
      sends: [`function_call call-1 ${name} {}`, `function_call_output call-1 ${told}`],
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
    input: 'a call that the user allows',
    answers: [whole(functionCall('call-1', 'ask_first', { to: 'ann' })), DONE],
    decides: ['allow'],
    ends: 'complete',
    shows: ['[ask_first complete] {"to":"ann"} -> "sent"', '[prompt answered]', 'Done.'],
    runs: ['ask_first {"to":"ann"}'],
    sends: ['function_call call-1 ask_first {"to":"ann"}', 'function_call_output call-1 sent'],
  },
  {
    input: 'a call that the user does not allow',
    answers: [whole(functionCall('call-1', 'ask_first', { to: 'ann' })), DONE],
    decides: ['reject'],
    ends: 'complete',
    shows: ['[ask_first denied] {"to":"ann"}', '[prompt answered]', 'Done.'],
    sends: ['function_call call-1 ask_first {"to":"ann"}', 'function_call_output call-1 The user did not allow it.'],
  },
  {
    input: 'the same call in every response',
    answers: [whole(SEND)],
    options: { maxRounds: 3 },
    ends: 'model_step_limit',
    shows: [SEND_SHOWN, SEND_SHOWN],
    runs: [...SENT, ...SENT],
    sends: [...SENT_BACK, ...SENT_BACK],
    requests: 3,
  },
  {
    input: 'a call of an invented tool in every response',
    answers: [whole(functionCall('call-1', 'nope', {}))],
    tools: ['send_email'],
    ends: 'model_step_limit',
    shows: Array.from(
      { length: 19 },
      () => '[nope failed] {} -> "There is no tool \\"nope\\". The tools are: send_email."',
    ),
    sends: Array.from({ length: 19 }, () => [
      'function_call call-1 nope {}',
      'function_call_output call-1 There is no tool "nope". The tools are: send_email.',
    ]).flat(),
    requests: 20,
  },
  ...RESULT_ROWS.map(({ name, status, shown, told }): ModelRow => ({
    input: `a call of a tool that returns: ${name}`,
    answers: [whole(functionCall('call-1', name, {})), DONE],
    ends: 'complete',
    shows: [`[${name} ${status}] {}${shown}`, 'Done.'],
    runs: [`${name} {}`],
    sends: [`function_call call-1 ${name} {}`, `function_call_output call-1 ${told}`],
  })),
]

const MCP: readonly ModelRow[] = [
  {
    input: 'an MCP call that the user allows',
    answers: [whole(mcpRequest()), whole(mcpCall({ approval_request_id: 'mcpr-1' }), message('Booked.'))],
    decides: ['allow'],
    ends: 'complete',
    shows: ['[book_desk complete] {"desk":7} -> "booked"', '[prompt answered]', 'Booked.'],
    sends: ['mcp_approval_request mcpr-1 book_desk {"desk":7}', 'mcp_approval_response mcpr-1 true'],
    requests: 2,
  },
  {
    input: 'an MCP call that the user does not allow',
    answers: [whole(mcpRequest()), DONE],
    decides: ['reject'],
    ends: 'complete',
    shows: ['[book_desk denied] {"desk":7}', '[prompt answered]', 'Done.'],
    sends: ['mcp_approval_request mcpr-1 book_desk {"desk":7}', 'mcp_approval_response mcpr-1 false'],
  },
  {
    input: 'an MCP request only in output_item.done, and an empty output',
    answers: [stream({ type: ITEM_DONE, output_index: 0, item: mcpRequest() }, completed([])), DONE],
    decides: ['reject'],
    ends: 'complete',
    shows: ['[book_desk denied] {"desk":7}', '[prompt answered]', 'Done.'],
    sends: ['mcp_approval_request mcpr-1 book_desk {"desk":7}', 'mcp_approval_response mcpr-1 false'],
  },
  {
    input: 'two MCP requests, one allowed',
    answers: [
      whole(mcpRequest(), mcpRequest('free_desk', 'mcpr-2')),
      whole(mcpCall({ approval_request_id: 'mcpr-1' }), message('One.')),
    ],
    decides: ['allow', 'reject'],
    ends: 'complete',
    shows: [
      '[book_desk complete] {"desk":7} -> "booked"',
      '[prompt answered]',
      '[free_desk denied] {"desk":7}',
      '[prompt answered]',
      'One.',
    ],
    sends: [
      'mcp_approval_request mcpr-1 book_desk {"desk":7}',
      'mcp_approval_request mcpr-2 free_desk {"desk":7}',
      'mcp_approval_response mcpr-1 true',
      'mcp_approval_response mcpr-2 false',
    ],
  },
  {
    input: 'an MCP call that was allowed and is never reported',
    answers: [whole(mcpRequest()), DONE],
    decides: ['allow'],
    ends: 'never reported the call of book_desk',
    shows: ['[book_desk running] {"desk":7}', '[prompt answered]', 'Done.'],
    sends: ['mcp_approval_request mcpr-1 book_desk {"desk":7}', 'mcp_approval_response mcpr-1 true'],
  },
  {
    input: 'an MCP call with an error',
    answers: [whole(mcpCall({ error: 'No such desk', output: null }), message('It failed.'))],
    ends: 'complete',
    shows: ['[book_desk failed] {"desk":7} -> "No such desk"', 'It failed.'],
  },
  {
    input: 'an MCP server that does not list its tools',
    answers: [
      whole({ type: 'mcp_list_tools', id: 'mcpl-1', server_label: 'desks', tools: [], error: 'down' }, message('No.')),
    ],
    ends: 'complete',
    shows: ['[mcp_list_tools failed] {} -> "down"', 'No.'],
  },
]

const OTHER_CALLS: readonly ModelRow[] = [
  { type: 'custom_tool_call', id: 'ct-1', call_id: 'call-1', name: 'sql', input: 'select 1' },
  { type: 'shell_call', id: 'sh-1', call_id: 'call-1', action: { commands: ['ls'] }, status: 'completed' },
  { type: 'local_shell_call', id: 'ls-1', call_id: 'call-1', action: { command: ['ls'] }, status: 'completed' },
  { type: 'apply_patch_call', id: 'ap-1', call_id: 'call-1', operation: {}, status: 'completed' },
  { type: 'computer_call', id: 'cc-1', call_id: 'call-1', action: {}, status: 'completed' },
  {
    type: 'tool_search_call',
    id: 'ts-1',
    call_id: 'call-1',
    execution: 'client',
    arguments: {},
    status: 'completed',
  },
  { type: 'dream', id: 'dr-1', status: 'completed' },
].map((item): ModelRow => ({
  input: `an item of the type ${item.type}`,
  answers: [whole(MESSAGE, item)],
  ends: `${item.type} is an item that fromOpenAi cannot carry out`,
  shows: [TEXT],
}))

const CITED = 'https://rivers.test/a'
const FILE = { file_id: 'file-1', filename: 'bends.pdf', index: 0 }

/** A message with a citation, as the whole response and only at the end of its item. */
function citing(input: string, annotation: object, shown: string): ModelRow[] {
  const cited = { ...MESSAGE, content: [{ type: 'output_text', text: TEXT, annotations: [annotation] }] }
  const shows = [TEXT, `[sources] ${shown}`]
  return [
    { input, answers: [whole(cited)], ends: 'complete', shows },
    {
      input: `${input}, only in output_item.done`,
      answers: [stream({ type: ITEM_DONE, output_index: 0, item: cited }, completed([]))],
      ends: 'complete',
      shows,
    },
  ]
}

function picture(input: string, item: Readonly<Record<string, unknown>>, mediaType: string): ModelRow {
  const drawn = { type: 'image_generation_call', id: 'ig-1', status: 'completed', result: 'AAAA', ...item }
  return {
    input,
    answers: [whole(drawn, MESSAGE)],
    ends: 'complete',
    shows: ['[image_generation complete] {}', `[media] ${mediaType}`, TEXT],
  }
}

const HOSTED: readonly ModelRow[] = [
  ...citing('a citation', { type: 'url_citation', url: CITED, title: 'Bends' }, `Bends <${CITED}>`),
  ...citing('a citation without a title', { type: 'url_citation', url: CITED }, `${CITED} <${CITED}>`),
  ...citing('a citation with the title null', { type: 'url_citation', url: CITED, title: null }, `${CITED} <${CITED}>`),
  ...citing('a citation of a file', { type: 'file_citation', ...FILE }, 'bends.pdf <urn:openai:file:file-1>'),
  ...citing('a path of a file', { type: 'file_path', file_id: 'file-1' }, 'file-1 <urn:openai:file:file-1>'),
  picture('a picture', {}, 'image/png'),
  picture('a picture in JPEG', { output_format: 'jpeg' }, 'image/jpeg'),
  picture('a picture whose bytes are WebP', { output_format: 'png', result: 'UklGRiQAAAB' }, 'image/webp'),
  picture('a picture with the status generating', { status: 'generating' }, 'image/png'),
  {
    input: 'a picture that is never made',
    answers: [whole({ type: 'image_generation_call', id: 'ig-1', status: 'generating', result: null })],
    ends: 'its image_generation_call is generating',
    shows: ['[image_generation running] {}'],
  },
  {
    input: 'a web search',
    answers: [whole(WEB_SEARCH, MESSAGE)],
    ends: 'complete',
    shows: ['[web_search complete] {"type":"search","query":"bends"}', TEXT],
  },
  {
    input: 'a web search that fails',
    answers: [whole({ ...WEB_SEARCH, status: 'failed' }, MESSAGE)],
    ends: 'complete',
    shows: ['[web_search failed] {"type":"search","query":"bends"} -> "The tool failed."', TEXT],
  },
  {
    input: 'a web search that never ends',
    answers: [whole({ ...WEB_SEARCH, status: 'searching' }, MESSAGE)],
    ends: 'its web_search_call is searching',
    shows: ['[web_search running] {"type":"search","query":"bends"}', TEXT],
  },
  {
    input: 'a web search, whose end comes twice',
    answers: [
      {
        events: without([WEB_SEARCH, MESSAGE]).flatMap((event) =>
          event.type === ITEM_DONE ? [event, event] : [event],
        ),
      },
    ],
    ends: 'complete',
    shows: ['[web_search complete] {"type":"search","query":"bends"}', TEXT],
  },
  {
    input: 'a shell call that OpenAI carries out',
    answers: [
      whole(
        { type: 'shell_call', id: 'sh-1', call_id: 'call-1', action: { commands: ['ls'] }, status: 'completed' },
        { type: 'shell_call_output', id: 'so-1', call_id: 'call-1', output: [{ stdout: 'a' }], status: 'completed' },
        MESSAGE,
      ),
    ],
    ends: 'complete',
    shows: ['[shell complete] undefined -> [{"stdout":"a"}]', TEXT],
  },
  {
    input: 'a code interpreter call',
    answers: [
      whole(
        {
          type: 'code_interpreter_call',
          id: 'ci-1',
          code: '1+1',
          outputs: [{ type: 'logs', logs: '2' }],
          status: 'completed',
        },
        MESSAGE,
      ),
    ],
    ends: 'complete',
    shows: ['[code_interpreter complete] {"code":"1+1"} -> [{"type":"logs","logs":"2"}]', TEXT],
  },
  {
    input: 'a reasoning summary only in output_item.done',
    answers: [
      stream({ type: ITEM_DONE, output_index: 0, item: reasoning('Bends.') }, ...itemEvents(MESSAGE, 1), completed([])),
    ],
    ends: 'complete',
    shows: ['[thought complete] Bends.', TEXT],
  },
]

export const FROM_OPENAI: ModelHelper = {
  name: 'fromOpenAi',
  rows: [...WHOLE_TEXTS, ...ENDINGS, ...CALLS, ...MCP, ...OTHER_CALLS, ...HOSTED],
  async answer(run, origin, tools, options) {
    const client = new VENDOR_SDKS.OpenAI({ apiKey: 'none', baseURL: origin, maxRetries: 0 })
    const input = await openAiMessages(run)
    const ask = (added: object[]): OpenAiStream =>
      client.responses.create({ model: 'm', input: [...input, ...added], stream: true }, { signal: run.signal })
    return fromOpenAi(ask, run, { tools, ...options })
  },
  entriesOf: ({ input }) => (Array.isArray(input) ? input.map(entryOf) : []),
}

function entryOf(item: Readonly<Record<string, unknown>>): string {
  const { type, role, id, call_id: callId, approval_request_id: requestId, name, arguments: json } = item
  const { output, approve, encrypted_content: encrypted, content } = item
  const texts = Array.isArray(content)
    ? content.map(({ text }: { readonly text?: string }) => text ?? '').join('')
    : content
  const shown = [type ?? role, callId ?? requestId ?? id, name, json, output, approve, encrypted, texts]
  return shown
    .filter((part) => part !== undefined && part !== null)
    .map(String)
    .join(' ')
}
