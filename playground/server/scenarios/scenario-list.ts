// Imported by the page and by the server: nothing of node here.

export type ScenarioGroup = 'Answers' | 'Chat' | 'Prompts' | 'Connection' | 'Commands' | 'Errors'

/** A scripted run of the bench. Its `id` goes into `payload.metadata.scenario` of the request, and after the `#` of its link. */
export interface Scenario {
  readonly id: string
  readonly group: ScenarioGroup
  readonly title: string
  /** What it shows: a noun or two. */
  readonly outcome: string
  /** What to look at, or to try, in a sentence or two. */
  readonly see: string
  /** What the user asks at once. */
  readonly prompt?: string
  /** A text file of the playground that goes with it. */
  readonly attaches?: 'river-notes'
  /** What was said before, made by the page: all of it at once, or page by page as the reader goes up. */
  readonly history?: { readonly turns: number; readonly paged: boolean }
  /** What the user asks while the first answer is still being written. */
  readonly queued?: readonly string[]
}

const RIVERS = 'Why do rivers meander?'
const BOAT = 'Get us the survey boat for tomorrow.'

/** Every scenario, in the order of the bench. */
// oxfmt-ignore
export const scenarios = [
  { id: 'plain-text', group: 'Answers', title: 'Plain text', outcome: 'streaming', prompt: RIVERS, see: 'Text streams in. Scroll up while it grows: your place is kept, and a button jumps back to the end.' },
  { id: 'every-event', group: 'Answers', title: 'Every event', outcome: 'all parts', prompt: 'Show me everything you can show.', see: 'Each kind of presentation event once, in the order an agent would send them.' },
  { id: 'thought-and-citations', group: 'Answers', title: 'Thought and citations', outcome: 'citations', prompt: 'Why do rivers meander? Name your sources.', see: 'Hover a citation to preview its source. Each source links to the page it was taken from.' },
  { id: 'many-sources', group: 'Answers', title: 'Many sources', outcome: 'citations', prompt: 'Tell me all you know about meanders, with sources.', see: 'Nine sources: six below the answer, all of them in a side panel. A citation leads to its source and back.' },
  { id: 'progress-and-media', group: 'Answers', title: 'Progress and media', outcome: 'media', prompt: 'Show me a meander.', see: 'One progress indicator updates in place. Images load on request, or automatically from the hosts allowed in the settings.' },
  { id: 'markdown', group: 'Answers', title: 'Markdown', outcome: 'incremental', prompt: 'Write me a field guide to river bends.', see: 'Half-written Markdown is never shown raw, and finished blocks never re-render. Images load on request.' },
  { id: 'markdown-block', group: 'Answers', title: 'Markdown block', outcome: 'rich text', prompt: 'Explain an oxbow lake in a note.', see: 'A Markdown block between two sentences. None of it becomes markup of this page.' },
  { id: 'formulas', group: 'Answers', title: 'Math and diagrams', outcome: 'MathML', prompt: 'How are the bends of a river calculated?', see: 'Formulas are MathML, prices stay text. Each diagram is drawn in a frame without an origin, and its last picture stays while its source grows.' },
  { id: 'data-and-artifact', group: 'Answers', title: 'Data and artifact', outcome: 'table, file', prompt: 'Compare three rivers and give me the table as a file.', see: 'A TABLE data block scrolls on its own. The artifact is a file on this server.' },
  { id: 'tool-call', group: 'Answers', title: 'Tool call', outcome: 'input, output', prompt: 'Measure the bends of the lower reach.', see: 'A tool call while it runs and when it is done, with its input and output.' },
  { id: 'user-notice', group: 'Answers', title: 'Notice to the user', outcome: 'notice', prompt: 'What is the water level today?', see: 'The agent reports a problem elsewhere; the run itself is fine.' },
  { id: 'json-answer', group: 'Answers', title: 'JSON answer', outcome: 'one response', prompt: 'How long is the Danube? Answer in one piece.', see: 'The agent replies with JSON instead of a stream. The same chat shows it.' },
  { id: 'two-streams', group: 'Answers', title: 'Two streams', outcome: 'parallel', prompt: 'Tell me about the two banks of a bend, side by side.', see: 'Two streams in one response, each numbered and closed on its own. The timeline shows a lane for each.' },
  { id: 'right-to-left', group: 'Answers', title: 'Right to left', outcome: 'bidirectional', prompt: 'لماذا تتعرّج الأنهار؟', see: 'Arabic text with a Latin name and numbers in it. Choose العربية under Appearance to switch the whole page.' },
  { id: 'long-answer', group: 'Answers', title: 'Long answer', outcome: 'performance', prompt: 'Write a diary of a river, as long as you can.', see: 'More than 5,000 words. Only the end of the answer re-renders.' },
  { id: 'slow-stream', group: 'Answers', title: 'Slow stream', outcome: 'no timeout', prompt: 'Take your time: why do rivers meander?', see: 'One chunk every 1.5 seconds. The connection is alive, so nothing reconnects.' },
  { id: 'queue', group: 'Chat', title: 'Queue while streaming', outcome: 'queue', prompt: RIVERS, queued: ['What is an oxbow lake?', 'How wide do the loops become?'], see: 'Two messages wait for the current answer. Edit or remove one, or add a third.' },
  { id: 'steer', group: 'Chat', title: 'Steer the answer', outcome: 'say', prompt: 'Write a diary of a river.', see: 'Write “What is an oxbow lake?” while the answer grows: it is said into the answer, and the agent changes course.' },
  { id: 'shared-plan', group: 'Chat', title: 'Shared plan', outcome: 'shared state', prompt: 'Plan the survey.', see: 'The agent writes stops into the plan. Change the reach or the days, also while it writes, and ask it to go on: your changes go along.' },
  { id: 'edit', group: 'Chat', title: 'Edit a message', outcome: 'new answer', prompt: 'What is an oxbow lake?', see: 'Hover your question and choose Edit. The new answer replaces the old one.' },
  { id: 'attach', group: 'Chat', title: 'Attach a file', outcome: 'attachment', prompt: 'How old does an oxbow lake become?', attaches: 'river-notes', see: 'A text file was sent with the question, and the agent answers from it alone. Attach your own: press +, paste or drop.' },
  { id: 'long-thread', group: 'Chat', title: 'Thread of 2,000', outcome: 'virtualized', prompt: 'How wide do the loops become?', history: { turns: 1000, paged: false }, see: 'Two thousand messages, virtualized: only those near the viewport are mounted.' },
  { id: 'earlier-messages', group: 'Chat', title: 'Earlier messages', outcome: 'paging', history: { turns: 120, paged: true }, see: 'The last page of a long conversation. Scroll up: older pages load, and the text you read stays in place.' },
  { id: 'approval', group: 'Prompts', title: 'Approval', outcome: 'edited input', prompt: BOAT, see: 'The agent asks before it books. Change the hours, allow it, and it books exactly that, once.' },
  { id: 'choice', group: 'Prompts', title: 'Choice', outcome: 'default', prompt: 'How long is the Avon?', see: 'The question is ambiguous, so the agent asks back. After two minutes it takes the default and says so.' },
  { id: 'form', group: 'Prompts', title: 'Form', outcome: 'field errors', prompt: 'File a reading.', see: 'A form from a JSON Schema. Give a level above 9 m: the agent refuses it with an error at its field.' },
  { id: 'sign-in', group: 'Prompts', title: 'Sign-in', outcome: 'no password', prompt: 'What does the authority measure?', see: 'The page to sign in at is named, and opened only when you press the button. No password passes through the chat.' },
  { id: 'permission', group: 'Prompts', title: 'Permission', outcome: 'duration', prompt: 'Watch the lower reach for me.', see: 'Once, for 15 minutes, or always: what is granted is shown before it is granted.' },
  { id: 'several-prompts', group: 'Prompts', title: 'Several prompts', outcome: 'one at a time', prompt: 'Prepare the survey.', see: 'Three prompts at once, shown one after the other.' },
  { id: 'cut-mid-packet', group: 'Connection', title: 'Cut mid-packet', outcome: 'auto-resume', prompt: RIVERS, see: 'The connection breaks inside a packet. The client reconnects under the same request id; no text is lost or repeated.' },
  { id: 'end-without-close', group: 'Connection', title: 'End without CLOSE', outcome: 'auto-resume', prompt: RIVERS, see: 'The response ends cleanly, but the agent was not done. The client resumes: half an answer never counts as complete.' },
  { id: 'half-open', group: 'Connection', title: 'Stalled connection', outcome: 'auto-resume', prompt: RIVERS, see: 'The connection stays open but sends nothing. After the timeout it is treated as lost.' },
  { id: 'everything-twice', group: 'Connection', title: 'Everything twice', outcome: 'deduplication', prompt: RIVERS, see: 'Every packet arrives twice. Duplicates are logged and ignored.' },
  { id: 'gap-in-seq', group: 'Connection', title: 'Gap in seq', outcome: 'missing packets', prompt: RIVERS, see: 'Three packets are lost. The gap is marked in the text.' },
  { id: 'new-stream-id', group: 'Connection', title: 'New stream id', outcome: 'restart', prompt: RIVERS, see: 'The server lost the run and starts over. The answer is replaced in one frame.' },
  { id: 'log-lost', group: 'Connection', title: 'Log lost, 409', outcome: 'no retry loop', prompt: RIVERS, see: 'The server no longer has the run. The partial answer stays; no retry loop.' },
  { id: 'answer-lost', group: 'Commands', title: 'Answer lost', outcome: 'sent again', prompt: BOAT, see: 'For 1.5 seconds every confirmation is lost. Your answer is sent again under the same id; the boat is booked once.' },
  { id: 'answer-refused', group: 'Commands', title: 'Answer refused', outcome: 'open again', prompt: BOAT, see: 'The server refuses the first answer. The prompt is open again, and nothing was done.' },
  { id: 'prompt-expired', group: 'Commands', title: 'Prompt expired', outcome: 'nothing done', prompt: BOAT, see: 'The prompt expires after 20 seconds, on the clock of the server. Nothing is done that nobody allowed.' },
  { id: 'prompt-withdrawn', group: 'Commands', title: 'Prompt withdrawn', outcome: 'taken back', prompt: BOAT, see: 'After eight seconds the agent takes its question back.' },
  { id: 'stop-left', group: 'Commands', title: 'Stop not supported', outcome: 'may still work', prompt: 'Read all the gauges.', see: 'This server takes no commands. Press Stop: the answer ends here, and the page says that the agent may still be working.' },
  { id: 'fatal', group: 'Errors', title: 'Fatal, auth_failed', outcome: 'sign-in', prompt: 'Read the gauges of the authority.', see: 'A fatal error with a Sign in action. The partial answer stays.' },
  { id: 'transient', group: 'Errors', title: 'Transient, retry after 4 s', outcome: 'retry', prompt: RIVERS, see: 'The agent asks for a pause of four seconds. Then the answer continues.' },
  { id: 'warning', group: 'Errors', title: 'Warning', outcome: 'note', prompt: RIVERS, see: 'A note below the part it concerns. The answer continues.' },
  { id: 'http-401', group: 'Errors', title: 'HTTP 401', outcome: 'sign-in', prompt: RIVERS, see: 'Rejected before any agent was asked. The question can be sent again.' },
  { id: 'http-500', group: 'Errors', title: 'HTTP 500, a page of HTML', outcome: 'server error', prompt: RIVERS, see: 'A gateway returns an HTML error page. None of it reaches the chat.' },
  { id: 'unknown-event', group: 'Errors', title: 'Unknown event', outcome: 'unsupported', prompt: 'Show me the flow of the river.', see: 'Unsupported events are shown collapsed, with all their data.' },
] as const satisfies readonly Scenario[]

export type ScenarioId = (typeof scenarios)[number]['id']

const BY_ID: ReadonlyMap<unknown, Scenario> = new Map(scenarios.map((scenario) => [scenario.id, scenario]))

export function isScenarioId(value: unknown): value is ScenarioId {
  return BY_ID.has(value)
}

/** The scenario of an id; undefined for none. */
export function scenarioOf(id: ScenarioId | undefined): Scenario | undefined {
  return BY_ID.get(id)
}
