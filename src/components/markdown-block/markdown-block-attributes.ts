import type { PartAttributes } from '../internals/attributes/part-attributes.ts'

/** The `data-*` attributes of `MarkdownBlock`. */
export const markdownBlockAttributes = {
  lists: {
    selector: '.cs-md :is(ul, ol)',
    attributes: {
      'data-tight': { values: 'present', meaning: 'Without space between the items' },
    },
  },
  tasks: {
    selector: '.cs-md li',
    attributes: {
      'data-task': { values: ['open', 'done'], meaning: 'Whether the task is done' },
    },
  },
  'cells of tables': {
    selector: '.cs-md :is(th, td)',
    attributes: {
      'data-align': { values: ['left', 'center', 'right'], meaning: 'How the column is aligned' },
    },
  },
  'HTML as text and long paragraphs': {
    selector: '.cs-md p',
    internal: true,
    attributes: {
      'data-grows': { values: 'present', meaning: 'While a long paragraph grows, which is then laid out in stretches' },
      'data-html': { values: 'present', meaning: 'For a block of HTML, which is shown as text' },
    },
  },
  'highlighted code': {
    selector: '.cs-code span',
    attributes: {
      'data-token': {
        values: ['keyword', 'string', 'number', 'comment', 'name'],
        meaning: 'What this piece of the code is',
      },
    },
  },
  footnotes: {
    selector: '.cs-md li',
    internal: true,
    attributes: {
      'data-note': { values: 'any', meaning: 'Leads from a mark to its footnote' },
    },
  },
  'marks of footnotes': {
    selector: '.cs-md-mark',
    internal: true,
    attributes: {
      'data-mark': { values: 'any', meaning: 'Leads from a footnote to its mark' },
      'data-pending': { values: 'present', meaning: 'While the footnote may still come' },
    },
  },
} as const satisfies PartAttributes
