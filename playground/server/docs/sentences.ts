/** After a full stop and space, whatever follows: names such as capstan begin sentences in lower case. */
const SENTENCE_END = /(?<=[.!?]["”’)]?)(?=\s)/
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf)\.$/i

/** Sentences with the space before them. Abbreviations do not end one. */
function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const piece of text.split(SENTENCE_END)) {
    const open = sentences.at(-1)
    if (open !== undefined && (ABBREVIATION.test(open) || endsInCode(open)))
      sentences[sentences.length - 1] = open + piece
    else sentences.push(piece)
  }
  return sentences
}

/** Whether a code span is still open. */
function endsInCode(text: string): boolean {
  return (text.match(/`+/g) ?? []).length % 2 === 1
}

/** The text itself, or where it is too long a run of whole sentences, grown from the best one while there is space. */
export function bestSentences(text: string, mostWords: number, scoreOf: (text: string) => number): string {
  if (countWords(text) <= mostWords) return text
  const sentences = sentencesOf(text)
  const scores = sentences.map(scoreOf)
  let start = scores.indexOf(Math.max(...scores))
  let end = start + 1
  let words = countWords(sentences[start] ?? '')
  for (;;) {
    const after = countWords(sentences[end] ?? '')
    const before = countWords(sentences[start - 1] ?? '')
    if (end < sentences.length && words + after <= mostWords) {
      words += after
      end += 1
    } else if (start > 0 && words + before <= mostWords) {
      words += before
      start -= 1
    } else break
  }
  return sentences.slice(start, end).join('').trim()
}

/** The beginning of a text, cut after a sentence when one ends soon enough. */
export function beginningOf(text: string, least: number, most: number): string {
  let beginning = ''
  for (const sentence of sentencesOf(text)) {
    if (beginning !== '' && beginning.length + sentence.length > most) break
    beginning += sentence
    if (beginning.length >= least) break
  }
  const trimmed = beginning.trim()
  return trimmed.length <= most ? trimmed : `${trimmed.slice(0, trimmed.lastIndexOf(' ', most))}…`
}

export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length
}
