/** What an agent can say of its task, in the words of A2A 1.0. */
export interface ScriptOutput {
  /** The task itself, which comes first. */
  task(): void
  status(state: string, text?: string, id?: string): void
  artifact(id: string, parts: readonly object[], append: boolean, lastChunk?: boolean): void
  /** An answer without a task. */
  message(text: string): void
  /** Nothing more comes. */
  finish(): void
}

export interface ScriptInput {
  readonly taskId: string
  /** Text of the message; undefined for one without text. */
  readonly text: string | undefined
  /** The message continues with a task that has asked. */
  readonly isAnswer: boolean
  readonly tickMs: number
  /** Parts of the message, which `echo` gives back. */
  readonly parts: readonly object[]
  isCancelled(): boolean
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The text that `stream n` answers with. */
export const wordsOf = (count: number): string => Array.from({ length: count }, (_, at) => `[${at}] `).join('')

/**
 * Answers by the first word of the message: `stream n`, `multi n`, `ask`, `auth ms`, `fail`, `reject`, `throw`, `message`, `files`, `echo`,
 * `big bytes`, `slow ms`, `replace`.
 */
export async function playScript(input: ScriptInput, out: ScriptOutput): Promise<void> {
  const { taskId, text = 'file', isAnswer, tickMs, parts, isCancelled } = input
  const [word = '', argument] = text.split(' ')
  const count = Number(argument ?? 3)
  if (word === 'message') {
    out.message('Hello there.')
    return out.finish()
  }
  out.task()
  out.status('TASK_STATE_WORKING', 'Reading…', `${taskId}-reading`)
  await sleep(tickMs)
  if (isAnswer) {
    out.artifact('reply', [{ text: `You said ${text}.` }], false, true)
    out.status('TASK_STATE_COMPLETED')
    return out.finish()
  }
  switch (word) {
    case 'stream':
      for (let at = 0; at < count && !isCancelled(); at++) {
        out.artifact('reply', [{ text: `[${at}] ` }], at > 0, at === count - 1)
        await sleep(tickMs)
      }
      break
    case 'multi':
      for (let at = 0; at < count; at++) {
        out.artifact('one', [{ text: `[${at}] ` }], at > 0)
        out.artifact('two', [{ text: `(${at}) ` }], at > 0)
        await sleep(tickMs)
      }
      break
    case 'replace':
      out.artifact('reply', [{ text: 'Draft' }], false, true)
      await sleep(tickMs)
      out.artifact('reply', [{ text: 'Final' }], false, true)
      break
    case 'ask':
      out.status('TASK_STATE_INPUT_REQUIRED', 'Which river?', `${taskId}-question`)
      return out.finish()
    case 'auth':
      out.status('TASK_STATE_AUTH_REQUIRED', 'Sign in to Maps.', `${taskId}-sign-in`)
      for (let at = 0; at < (argument === undefined ? 6 : count / 10) && !isCancelled(); at++) await sleep(10)
      if (isCancelled()) return
      out.status('TASK_STATE_WORKING', 'Thank you', `${taskId}-thanks`)
      out.artifact('reply', [{ text: 'Signed in.' }], false, true)
      break
    case 'fail':
    case 'reject':
      out.status(word === 'fail' ? 'TASK_STATE_FAILED' : 'TASK_STATE_REJECTED', 'No map of this river.', `${taskId}-no`)
      return out.finish()
    case 'throw':
      throw new Error('The agent broke.')
    case 'files':
      out.artifact('reply', [{ text: 'See the files.' }], false)
      out.artifact('raw', [{ raw: 'SGVsbG8=', mediaType: 'text/plain', filename: 'hello.txt' }], false)
      out.artifact('url', [{ url: 'https://files.example/a.pdf', mediaType: 'application/pdf' }], false)
      out.artifact('data', [{ data: { depth: [1, 2] } }], false, true)
      break
    case 'echo':
      out.artifact('reply', [{ text: 'Here it is again.' }], false)
      out.artifact(
        'copy',
        parts.filter((part) => !('text' in part)),
        false,
        true,
      )
      break
    case 'big':
      out.artifact('reply', [{ text: 'x'.repeat(count) }], false, true)
      break
    case 'slow':
      for (let at = 0; at < (argument === undefined ? 500 : count / 10) && !isCancelled(); at++) await sleep(10)
      break
  }
  if (isCancelled()) return
  out.status('TASK_STATE_COMPLETED')
  out.finish()
}
