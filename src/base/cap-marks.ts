/** Combining marks that may be in a row. No script needs more: Tibetan has stacks of eight, all others fewer. */
const MOST_MARKS = 8

/** Invisible characters that do not end a row of marks: joiners, direction marks, soft hyphens. */
const UNSEEN = '[\\u00AD\\u061C\\u200B-\\u200F\\u2060-\\u2064\\uFEFF]*'

const LONG_ROW = new RegExp(`((?:\\p{M}${UNSEEN}){${MOST_MARKS}})(?:\\p{M}${UNSEEN})+`, 'gu')

/** Below this there are no combining marks: most text needs one comparison per character. */
const MAY_HAVE_MARKS = /[\u0300-\uffff]/

/**
 * Text for display: keeps the first eight combining marks of a sequence, so that none covers the lines around it. The same
 * string when there is no longer row. Text that grows at its end is shown so as well.
 */
export function capMarks(text: string): string {
  return MAY_HAVE_MARKS.test(text) ? text.replace(LONG_ROW, '$1') : text
}
