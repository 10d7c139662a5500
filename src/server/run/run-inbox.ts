/** What the user said into the run. */
export interface Word {
  readonly messageId: string
  readonly text: string
}

/**
 * What the user says while the run goes on, each word once and in the order of the log. Read it with `for await`, which ends with the
 * run, or take what has come so far. There is one inbox: a word that was taken is not given again.
 */
export interface RunInbox extends AsyncIterable<Word> {
  /** The words that have come since; empty when there are none. Never waits. */
  take(): readonly Word[]
}

/** An inbox and its other end. */
export interface OpenInbox {
  readonly inbox: RunInbox
  add(word: Word): void
  /** No word comes any more. */
  end(): void
}

export function createInbox(): OpenInbox {
  let words: Word[] = []
  let waiting: ((step: IteratorResult<Word, undefined>) => void)[] = []
  let ended = false

  const iterator: AsyncIterator<Word, undefined> = {
    async next() {
      const word = words.shift()
      if (word !== undefined) return { done: false, value: word }
      if (ended) return { done: true, value: undefined }
      return new Promise((resolve) => {
        waiting.push(resolve)
      })
    },
    // Whoever stops to listen may listen again.
    return: async () => ({ done: true, value: undefined }),
  }

  return {
    inbox: {
      [Symbol.asyncIterator]: () => iterator,
      take() {
        const taken = words
        words = []
        return taken
      },
    },
    add(word) {
      const next = waiting.shift()
      if (next === undefined) words.push(word)
      else next({ done: false, value: word })
    },
    end() {
      ended = true
      const left = waiting
      waiting = []
      for (const each of left) each({ done: true, value: undefined })
    },
  }
}
