/** UTF-16 code units of a first message that make a title. */
const TITLE_LENGTH = 80

/** The words that a conversation began with, on one line. */
export function conversationTitle(text: string): string {
  const title = text.replaceAll(/\s+/g, ' ').trim()
  if (title.length <= TITLE_LENGTH) return title
  // Whole characters only: none is cut in two.
  return `${title
    .slice(0, TITLE_LENGTH)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}
