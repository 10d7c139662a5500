import { commonmarkHtml, micromarkHtml } from './peers.ts'

/** Where another parser reads a text differently, and why we keep our reading. */
export interface KnownDifference {
  readonly name: string
  readonly reason: string
  /** Whether it explains all that differs. */
  explains(markdown: string, ours: string, theirs: string): boolean
}

/** commonmark.js is the reference: there is little. */
export const COMMONMARK_DIFFERENCES: readonly KnownDifference[] = [
  {
    name: 'blanks on a blank line of raw lines inside a list item',
    reason:
      'Behind the columns that belong to the item they are content of the code or HTML; cmark and micromark keep them, commonmark.js drops them.',
    explains: (markdown, ours, theirs) =>
      /^[ \t>]*[ \t]\r?$/m.test(markdown) && withoutBlankLines(ours) === withoutBlankLines(theirs),
  },
  {
    name: 'an empty paragraph above a thematic break',
    reason: 'A paragraph of definitions only is nothing; commonmark.js leaves an empty one when `---` follows it.',
    explains: (_, ours, theirs) => theirs.replaceAll('<p></p>', '') === ours,
  },
]

/** micromark with its extensions for GitHub's markdown. */
export const GITHUB_DIFFERENCES: readonly KnownDifference[] = [
  {
    name: 'micromark against the reference',
    reason:
      'Without any extension it reads this text otherwise than commonmark.js does: mostly lists in items that begin with another number than 1, empty items in items, and HTML that would interrupt a lazy line.',
    explains: (markdown) => micromarkHtml(markdown) !== commonmarkHtml(markdown),
  },
  {
    name: 'a bare address behind an open bracket',
    reason:
      'micromark makes no link of it in case the bracket becomes a link; GitHub decides when the bracket did not.',
    explains: (markdown, ours, theirs) => markdown.includes('[') && withoutAddresses(ours) === withoutAddresses(theirs),
  },
  {
    name: 'boxes elsewhere than at the beginning of an item',
    reason:
      'micromark keeps the box of a task open over what ends before it: `2. 3.` and then `[ ] t`, which is in no list, or an item that begins with a definition. For GitHub the box is on the first line of its item.',
    explains: (_, ours, theirs) => withoutBoxes(ours) === withoutBoxes(theirs),
  },
  {
    name: 'the head of a table on a line that is indented or lacks the marks of its containers',
    reason: 'It is a line of the paragraph all the same, and GitHub takes the last one for the head.',
    explains: (markdown, ours, theirs) =>
      count(ours, '<table>') > count(theirs, '<table>') && /^[^\n]+\n[^\n]*-[^\n]*$/m.test(markdown),
  },
  {
    name: 'code below a table',
    reason: 'micromark makes a block of each line of indented code that follows a table in a quote.',
    explains: (_, ours, theirs) =>
      ours.includes('<table>') &&
      withoutBlankLines(theirs.replaceAll('</code></pre><pre><code>', '\n')) ===
        withoutBlankLines(ours.replaceAll('</code></pre><pre><code>', '\n')),
  },
  {
    name: 'a list below a table',
    reason:
      'micromark still takes the table for a paragraph, which an empty item or a number other than 1 would not interrupt.',
    explains: (_, ours, theirs) => ours.includes('<table>') && withoutLists(ours) === withoutLists(theirs),
  },
  {
    name: 'a tag on a line of a footnote that lacks its indentation',
    reason:
      'It goes on the paragraph above, as in a list or a quote: a tag alone does not interrupt a paragraph, says commonmark.js too. micromark lets it do so on any such line, ends the footnote, and keeps the blanks before the tag.',
    explains: (markdown, ours, theirs) => markdown.includes(']:') && withoutTags(ours) === withoutTags(theirs),
  },
]

/** The first of the differences that explains this one. */
export function explanation(
  differences: readonly KnownDifference[],
  markdown: string,
  ours: string,
  theirs: string,
): string | undefined {
  return differences.find((difference) => difference.explains(markdown, ours, theirs))?.name
}

function withoutBlankLines(html: string): string {
  return html
    .replace(/(^|\n|>)[ \t]+(?=\n|<|$)/g, '$1')
    .replace(/\n+/g, '\n')
    .replace(/\n*(<[^>\n]*>)\n*/g, '$1')
}

function withoutAddresses(html: string): string {
  return html.replace(/<a href="(?:https?:|mailto:)[^"]*">([^<]*)<\/a>/g, '$1').replaceAll('\n', '')
}

function withoutBoxes(html: string): string {
  return html.replace(/<input[^>]*>|\[[ xX]\]|<a [^>]*>[xX]<\/a>|\s/g, '')
}

function withoutLists(html: string): string {
  return html.replace(/<\/?(?:ol|ul|li|p|pre|code)\b[^>]*>|\d+[.)]|[-+*]|\s/g, '')
}

function withoutTags(html: string): string {
  return html.replace(/<\/?(?:pre|a|i|script)\b[^>]*>|k(?=<\/i>)|<\/?p>|\s/g, '')
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}
