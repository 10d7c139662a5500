/** How an attempt went, as the page saw it. `left`: the client closed it. */
export type AttemptEnding = 'finished' | 'dropped' | 'left' | 'unreachable'

export interface RecordedFrame {
  /** Milliseconds since the run began. */
  readonly at: number
  readonly event: string
  readonly id: string
  readonly data: string
}

export interface RecordedAttempt {
  readonly at: number
  status?: number
  contentType?: string
  ending?: AttemptEnding
  endedAt?: number
  bytes: number
  readonly frames: RecordedFrame[]
  /** The body, where it was not an event stream. */
  body?: string
}

export interface RecordedRun {
  readonly requestId: string
  readonly url: string
  /** ISO time. */
  readonly startedAt: string
  readonly attempts: RecordedAttempt[]
}

/** What "Save recording" writes: every frame of a conversation, no headers and so no keys. */
export interface Recording {
  readonly format: 'capstan-recording'
  readonly version: 1
  readonly scenario: string | undefined
  readonly runs: readonly RecordedRun[]
}

/** Offers the recording as a file. */
export function saveRecording(recording: Recording): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(recording, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `capstan-${recording.scenario ?? 'chat'}.json`
  link.click()
  // The download reads the address after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
