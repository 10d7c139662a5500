/** Finds the ends of code spans in one text, in time linear to it however many are looked for. */
export function createBacktickFinder(text: string): (length: number, from: number) => number {
  let last: Map<number, number> | undefined
  return (length, from) => {
    last ??= lastRuns(text)
    if ((last.get(length) ?? -1) < from) return -1
    const runs = /`+/g
    runs.lastIndex = from
    for (let run = runs.exec(text); run !== null; run = runs.exec(text)) if (run[0].length === length) return run.index
    return -1
  }
}

/** Where the last run of each length begins. */
function lastRuns(text: string): Map<number, number> {
  const last = new Map<number, number>()
  for (const run of text.matchAll(/`+/g)) last.set(run[0].length, run.index)
  return last
}

/** What a code span says, by what is between its backticks. */
export function codeSpanText(raw: string): string {
  const text = raw.replaceAll('\n', ' ')
  return text.startsWith(' ') && text.endsWith(' ') && /[^ ]/.test(text) ? text.slice(1, -1) : text
}
