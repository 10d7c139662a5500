/** A key of an answer in the query cache. All of them begin with `capstan`. */
export type CapQueryKey = readonly [
  'capstan',
  kind: 'health' | 'assist' | 'stream' | 'threads' | 'history',
  name: string,
]

/** The keys of all queries of this package: for `invalidateQueries`, `setQueryData` and the like where the options are not at hand. */
export const queryKeys = {
  /** Everything. */
  all: ['capstan'],
  /** The health of an agent, by the name it was given. */
  health: (agent: string): CapQueryKey => ['capstan', 'health', agent],
  /** The JSON answer to a request. */
  assist: (requestId: string): CapQueryKey => ['capstan', 'assist', requestId],
  /** The streamed answer to a request. */
  stream: (requestId: string): CapQueryKey => ['capstan', 'stream', requestId],
  /** A list of conversations. */
  threads: (scope = ''): CapQueryKey => ['capstan', 'threads', scope],
  /** The messages of a conversation. */
  history: (conversationId: string): CapQueryKey => ['capstan', 'history', conversationId],
} as const
