// Imported by the page and by the server: nothing of node here.

export type ScenarioGroup = 'Answers' | 'Chat' | 'Line' | 'Errors'

/** A scripted run of the bench. Its `id` goes into `payload.metadata.scenario` of the request, and after the `#` of its link. */
export interface Scenario {
  readonly id: string
  readonly group: ScenarioGroup
  readonly title: string
  /** What must be seen in the end, in a word or two. */
  readonly outcome: string
  /** What to look at, or to try, in a sentence or two. */
  readonly see: string
  /** What the person asks at once. */
  readonly prompt?: string
  /** A text file of the playground that goes with it. */
  readonly attaches?: 'river-notes'
  /** What was said before, made by the page: all of it at once, or page by page as the reader goes up. */
  readonly history?: { readonly turns: number; readonly paged: boolean }
  /** What the person asks while the first answer is still being written. */
  readonly queued?: readonly string[]
}

const RIVERS = 'Why do rivers meander?'

/** Every scenario, in the order of the bench. */
// oxfmt-ignore
export const scenarios = [
  { id: 'plain-text', group: 'Answers', title: 'Plain text', outcome: 'completes', prompt: RIVERS, see: 'Text comes in pieces. Scroll up while it grows: nothing you read moves, and a button leads back.' },
  { id: 'every-event', group: 'Answers', title: 'Every event', outcome: 'shows', prompt: 'Show me everything you can show.', see: 'Each kind of presentation event once, in the order an agent would send them.' },
  { id: 'thought-and-citations', group: 'Answers', title: 'Thought and citations', outcome: 'cites', prompt: 'Why do rivers meander? Name your sources.', see: 'Rest on a mark in the text to see its source. Each source opens the page it was taken from.' },
  { id: 'many-sources', group: 'Answers', title: 'Many sources', outcome: 'cites', prompt: 'Tell me all you know about meanders, with sources.', see: 'Nine sources: some stand below the answer, and all of them open in a panel beside it. A mark leads to its source, and back.' },
  { id: 'progress-and-media', group: 'Answers', title: 'Progress and media', outcome: 'shows', prompt: 'Show me a meander.', see: 'One indicator moves on in place. A picture loads only when you ask for it, or when its host is allowed in the settings.' },
  { id: 'markdown', group: 'Answers', title: 'Markdown', outcome: 'stays', prompt: 'Write me a field guide to river bends.', see: 'Half a mark is never shown, and what stands stays the same element. The picture loads only when you ask for it.' },
  { id: 'markdown-block', group: 'Answers', title: 'Markdown block', outcome: 'shows', prompt: 'Explain an oxbow lake in a note.', see: 'A block of markdown between two sentences. Nothing in it becomes markup of this page.' },
  { id: 'data-and-artifact', group: 'Answers', title: 'Data and artifact', outcome: 'shows', prompt: 'Compare three rivers and give me the table as a file.', see: 'Data with the hint TABLE is a table that scrolls in itself. The artifact is a file of this server.' },
  { id: 'tool-call', group: 'Answers', title: 'Tool call', outcome: 'shows', prompt: 'Measure the bends of the lower reach.', see: 'A call while it runs and when it is done, with what went in and what came out.' },
  { id: 'user-notice', group: 'Answers', title: 'Notice to the user', outcome: 'goes on', prompt: 'What is the water level today?', see: 'The agent says that something else is broken. It is well itself, so nothing is red.' },
  { id: 'json-answer', group: 'Answers', title: 'JSON answer', outcome: 'completes', prompt: 'How long is the Danube? Answer in one piece.', see: 'The agent answers with a document in place of a stream. The same chat shows it.' },
  { id: 'two-streams', group: 'Answers', title: 'Two streams', outcome: 'both end', prompt: 'Tell me about the two banks of a bend, side by side.', see: 'Two streams in one response, each numbered and closed by itself. The timeline shows a lane for each.' },
  { id: 'right-to-left', group: 'Answers', title: 'Right to left', outcome: 'reads', prompt: 'لماذا تتعرّج الأنهار؟', see: 'Arabic prose with a Latin name and figures in it. Choose العربية under Appearance to turn the whole page.' },
  { id: 'long-answer', group: 'Answers', title: 'Long answer', outcome: 'stays smooth', prompt: 'Write a diary of a river, as long as you can.', see: 'More than 5,000 words. Only the end of the answer renders again.' },
  { id: 'slow-stream', group: 'Answers', title: 'Slow stream', outcome: 'waits', prompt: 'Take your time: why do rivers meander?', see: 'A piece every second and a half. The line is alive, so nobody reconnects.' },
  { id: 'queue', group: 'Chat', title: 'Queue while streaming', outcome: 'sends all', prompt: RIVERS, queued: ['What is an oxbow lake?', 'How wide do the loops become?'], see: 'Two more questions wait while the first answer is written. Take one back, or write a third.' },
  { id: 'edit', group: 'Chat', title: 'Edit a message', outcome: 'asks anew', prompt: 'What is an oxbow lake?', see: 'Point at your question and edit it, say to “How wide do the loops become?”. The new answer takes the place of the old one.' },
  { id: 'attach', group: 'Chat', title: 'Attach a file', outcome: 'quotes', prompt: 'How old does an oxbow lake become?', attaches: 'river-notes', see: 'A text file went with the question, and the agent answers from it alone. Attach one of yours: press +, paste it or drop it.' },
  { id: 'long-thread', group: 'Chat', title: 'Thread of 2,000', outcome: 'stays smooth', prompt: 'How wide do the loops become?', history: { turns: 1000, paged: false }, see: 'Two thousand messages and an answer that grows below them. Scroll: only what is near you is on the page.' },
  { id: 'earlier-messages', group: 'Chat', title: 'Earlier messages', outcome: 'loads', history: { turns: 120, paged: true }, see: 'The last page of a long talk. Scroll up: older pages come, and the line you read stays where it is.' },
  { id: 'cut-mid-packet', group: 'Line', title: 'Cut mid-packet', outcome: 'resumes', prompt: RIVERS, see: 'The line breaks inside a packet. The client comes back under the same request id, and no letter is lost or said twice.' },
  { id: 'end-without-close', group: 'Line', title: 'End without CLOSE', outcome: 'resumes', prompt: RIVERS, see: 'The response ends cleanly, but the agent was not done. Half an answer never counts as a whole one.' },
  { id: 'half-open', group: 'Line', title: 'Silence on the line', outcome: 'resumes', prompt: RIVERS, see: 'The line stays open and says nothing. After the timeout of the settings it is taken for dropped.' },
  { id: 'everything-twice', group: 'Line', title: 'Everything twice', outcome: 'same text', prompt: RIVERS, see: 'Every packet comes two times. The second one is in the log, and nowhere else.' },
  { id: 'gap-in-seq', group: 'Line', title: 'Gap in seq', outcome: 'marked', prompt: RIVERS, see: 'Three packets never come. The place is marked in the text, and the mark tells which numbers.' },
  { id: 'new-stream-id', group: 'Line', title: 'New stream id', outcome: 'restarts', prompt: RIVERS, see: 'The server lost the run and starts it anew. The answer is replaced in one frame, and says so.' },
  { id: 'log-lost', group: 'Line', title: 'Log lost, 409', outcome: 'stops', prompt: RIVERS, see: 'The server lost the run and says so. What came is kept, and nobody asks again and again.' },
  { id: 'fatal', group: 'Errors', title: 'Fatal, auth_failed', outcome: 'sign in', prompt: 'Read the gauges of the authority.', see: 'An error that ends the answer, with the next step in it. The text so far stays.' },
  { id: 'transient', group: 'Errors', title: 'Transient, retry after 4 s', outcome: 'waits', prompt: RIVERS, see: 'The agent asks for a pause of four seconds. The line holds, and the answer goes on.' },
  { id: 'warning', group: 'Errors', title: 'Warning', outcome: 'goes on', prompt: RIVERS, see: 'A note under the part it concerns. The answer goes on.' },
  { id: 'http-401', group: 'Errors', title: 'HTTP 401', outcome: 'sign in', prompt: RIVERS, see: 'Refused before any agent was asked. The question is kept for another try.' },
  { id: 'http-500', group: 'Errors', title: 'HTTP 500, a page of HTML', outcome: 'fails', prompt: RIVERS, see: 'A gateway answers with a page for people. None of its markup or words come through.' },
  { id: 'unknown-event', group: 'Errors', title: 'Unknown event', outcome: 'kept', prompt: 'Show me the flow of the river.', see: 'An event this version has no component for is kept, folded, with all its data.' },
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
