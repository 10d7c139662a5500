/** The majors of the AI SDK that are installed beside these tests. */
export const MAJORS = [5, 6, 7] as const
export type Major = (typeof MAJORS)[number]

interface StreamedPart {
  readonly type: string
  readonly text?: string
  readonly error?: unknown
  readonly finishReason?: string
}

/** What the tests use of a result of `streamText`. */
export interface StreamedText {
  readonly fullStream: AsyncIterable<StreamedPart>
  /** The name that ai 7 gives to the same. */
  readonly stream: AsyncIterable<StreamedPart>
  readonly textStream: AsyncIterable<string>
}

interface Model {
  readonly modelId: string
}

/** What the tests use of the package `ai`, the same in every major. */
interface AiSdk {
  streamText(options: {
    model: Model
    prompt: string
    maxRetries: number
    abortSignal: AbortSignal
    onError: (event: unknown) => void
  }): StreamedText
}

/** The model of a test: `doStream` gives the parts of one answer. */
type MockModel = new (options: {
  doStream: (call: { abortSignal?: AbortSignal }) => Promise<{ stream: ReadableStream<unknown> }>
}) => Model

const MOCKS = { 5: 'MockLanguageModelV2', 6: 'MockLanguageModelV3', 7: 'MockLanguageModelV4' } as const

/** How a model may answer, and fail. */
export const FAILURES = [
  'at once',
  'midway',
  'by an error in the stream',
  'by a connection that ends early',
  'by a limit',
  'by a filter',
  'when the run is stopped',
] as const
export type Failure = (typeof FAILURES)[number]

/** `streamText` of one major over a model that says "Rivers meander." or fails after "Rivers ". */
export async function streamedText(
  major: Major,
  failure: Failure | undefined,
  signal: AbortSignal,
): Promise<StreamedText> {
  // The two modules of the package; their types are those of whichever major it is.
  const { streamText } = (await import(/* @vite-ignore */ `ai-${major}`)) as AiSdk
  const mocks = (await import(/* @vite-ignore */ `ai-${major}/test`)) as Record<string, MockModel>
  const Mock = mocks[MOCKS[major]]
  if (Mock === undefined) throw new Error(`ai ${major} has no ${MOCKS[major]}.`)
  const model = new Mock({
    doStream: async ({ abortSignal }) => {
      if (failure === 'at once') throw new Error('The key is wrong: sk-canary.')
      return { stream: answer(major, failure, abortSignal) }
    },
  })
  return streamText({ model, prompt: 'Why?', maxRetries: 0, abortSignal: signal, onError: () => {} })
}

function answer(major: Major, failure: Failure | undefined, signal: AbortSignal | undefined): ReadableStream<unknown> {
  const finish = (reason: string): object => ({
    type: 'finish',
    finishReason: major === 5 ? reason : { unified: reason, raw: reason },
    usage:
      major === 5
        ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 }
        : { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  })
  const text = (delta: string): object => ({ type: 'text-delta', id: 't', delta })
  const end = { type: 'text-end', id: 't' }
  const rest: Record<Failure | 'none', readonly object[]> = {
    none: [text('meander.'), end, finish('stop')],
    'at once': [],
    midway: [],
    'by an error in the stream': [
      { type: 'error', error: new Error('The model is overloaded: sk-canary.') },
      end,
      finish('error'),
    ],
    'by a connection that ends early': [],
    'by a limit': [end, finish('length')],
    'by a filter': [end, finish('content-filter')],
    'when the run is stopped': [],
  }
  const parts = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't' },
    text('Rivers '),
    ...rest[failure ?? 'none'],
  ]
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift()
      if (part !== undefined) controller.enqueue(part)
      else if (failure === 'midway') controller.error(new Error('The model broke: sk-canary.'))
      else if (failure === 'when the run is stopped')
        signal?.addEventListener('abort', () => controller.error(signal.reason))
      else controller.close()
    },
  })
}
