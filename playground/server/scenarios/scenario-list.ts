// Imported by the page and by the server: nothing of node here.

export type ScenarioGroup = 'Answers' | 'Line' | 'Errors'

/** A scripted run of the bench. Its `id` goes into `payload.metadata.scenario` of the request. */
export interface Scenario {
  readonly id: string
  readonly group: ScenarioGroup
  readonly title: string
  /** What must be seen in the end, in a word or two. */
  readonly outcome: string
  /** What the person asks. */
  readonly prompt: string
}

/** Every scenario, in the order of the bench. */
export const scenarios = [
  { id: 'plain-text', group: 'Answers', title: 'Plain text', outcome: 'completes', prompt: 'Why do rivers meander?' },
  { id: 'thought-and-citations', group: 'Answers', title: 'Thought and citations', outcome: 'cites', prompt: 'Why do rivers meander? Name your sources.' },
  { id: 'progress-and-media', group: 'Answers', title: 'Progress and media', outcome: 'shows', prompt: 'Show me a meander.' },
  { id: 'markdown-block', group: 'Answers', title: 'Markdown block', outcome: 'shows', prompt: 'Explain an oxbow lake in a note.' },
  { id: 'data-and-artifact', group: 'Answers', title: 'Data and artifact', outcome: 'shows', prompt: 'Compare three rivers and give me the table as a file.' },
  { id: 'user-notice', group: 'Answers', title: 'Notice to the user', outcome: 'goes on', prompt: 'What is the water level today?' },
  { id: 'json-answer', group: 'Answers', title: 'JSON answer', outcome: 'completes', prompt: 'How long is the Danube? Answer in one piece.' },
  { id: 'two-streams', group: 'Answers', title: 'Two streams', outcome: 'both end', prompt: 'Tell me about the two banks of a bend, side by side.' },
  { id: 'long-answer', group: 'Answers', title: 'Long answer', outcome: 'stays smooth', prompt: 'Write a diary of a river, as long as you can.' },
  { id: 'slow-stream', group: 'Answers', title: 'Slow stream', outcome: 'waits', prompt: 'Take your time: why do rivers meander?' },
  { id: 'cut-mid-packet', group: 'Line', title: 'Cut mid-packet', outcome: 'resumes', prompt: 'Why do rivers meander?' },
  { id: 'end-without-close', group: 'Line', title: 'End without CLOSE', outcome: 'resumes', prompt: 'Why do rivers meander?' },
  { id: 'half-open', group: 'Line', title: 'Silence on the line', outcome: 'resumes', prompt: 'Why do rivers meander?' },
  { id: 'everything-twice', group: 'Line', title: 'Everything twice', outcome: 'same text', prompt: 'Why do rivers meander?' },
  { id: 'gap-in-seq', group: 'Line', title: 'Gap in seq', outcome: 'marked', prompt: 'Why do rivers meander?' },
  { id: 'new-stream-id', group: 'Line', title: 'New stream id', outcome: 'restarts', prompt: 'Why do rivers meander?' },
  { id: 'log-lost', group: 'Line', title: 'Log lost, 409', outcome: 'stops', prompt: 'Why do rivers meander?' },
  { id: 'fatal', group: 'Errors', title: 'Fatal, auth_failed', outcome: 'sign in', prompt: 'Read the gauges of the authority.' },
  { id: 'transient', group: 'Errors', title: 'Transient, retry after 4 s', outcome: 'waits', prompt: 'Why do rivers meander?' },
  { id: 'warning', group: 'Errors', title: 'Warning', outcome: 'goes on', prompt: 'Why do rivers meander?' },
  { id: 'http-401', group: 'Errors', title: 'HTTP 401', outcome: 'sign in', prompt: 'Why do rivers meander?' },
  { id: 'http-500', group: 'Errors', title: 'HTTP 500, a page of HTML', outcome: 'fails', prompt: 'Why do rivers meander?' },
  { id: 'unknown-event', group: 'Errors', title: 'Unknown event', outcome: 'kept', prompt: 'Show me the flow of the river.' },
] as const satisfies readonly Scenario[]

export type ScenarioId = (typeof scenarios)[number]['id']

const IDS: ReadonlySet<unknown> = new Set(scenarios.map((scenario) => scenario.id))

export function isScenarioId(value: unknown): value is ScenarioId {
  return IDS.has(value)
}
