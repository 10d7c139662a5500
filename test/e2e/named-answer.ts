/** A question that says how long its answer is: `name 12x60` asks for 12 words, one every 60 ms. */
export interface Question {
  /** Unique: every word of the answer begins with it. */
  readonly name: string
  readonly words: number
  readonly everyMs: number
}

export function questionText({ name, words, everyMs }: Question): string {
  return `${name} ${words}x${everyMs}`
}

export function parseQuestion(text: string): Question {
  const [, name = text, words = '0', everyMs = '0'] = /^(\S+) (\d+)x(\d+)$/.exec(text) ?? []
  return { name, words: Number(words), everyMs: Number(everyMs) }
}

/** One word of the answer, counted from 1. */
export function answerWord({ name }: Question, word: number): string {
  return `${name}.${word} `
}

/** The whole answer to a question. */
export function answerTo(text: string): string {
  const question = parseQuestion(text)
  return Array.from({ length: question.words }, (_, index) => answerWord(question, index + 1)).join('')
}
