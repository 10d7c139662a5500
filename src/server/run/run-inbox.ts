/** Messages that the user sent into the run. */
export interface InboxMessage {
  readonly messageId: string
  readonly text: string
}

/**
 * What the user says while the run continues, each message once and in the order of the log. Read it with `for await`, which ends with the
 * run, or take the messages so far. There is one inbox: each message is delivered once.
 */
export interface RunInbox extends AsyncIterable<InboxMessage> {
  /** The messages that have come since; empty when there are none. Never waits. */
  take(): readonly InboxMessage[]
}

/** An inbox and its other end. */
export interface OpenInbox {
  readonly inbox: RunInbox
  add(message: InboxMessage): void
  /** No more messages come. */
  end(): void
}

export function createInbox(): OpenInbox {
  let messages: InboxMessage[] = []
  let waiting: ((step: IteratorResult<InboxMessage, undefined>) => void)[] = []
  let ended = false

  const iterator: AsyncIterator<InboxMessage, undefined> = {
    async next() {
      const message = messages.shift()
      if (message !== undefined) return { done: false, value: message }
      if (ended) return { done: true, value: undefined }
      return new Promise((resolve) => {
        waiting.push(resolve)
      })
    },
    // A reader that stops may start again.
    return: async () => ({ done: true, value: undefined }),
  }

  return {
    inbox: {
      [Symbol.asyncIterator]: () => iterator,
      take() {
        const taken = messages
        messages = []
        return taken
      },
    },
    add(message) {
      const next = waiting.shift()
      if (next === undefined) messages.push(message)
      else next({ done: false, value: message })
    },
    end() {
      ended = true
      const left = waiting
      waiting = []
      for (const each of left) each({ done: true, value: undefined })
    },
  }
}
