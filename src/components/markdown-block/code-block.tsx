import type { ReactNode } from 'react'
import { LineChunks, codeBlockText } from '../../markdown/view/block-view.tsx'
import type { CodeRendererProps } from '../../markdown/view/markdown-props.ts'
import { showsMarks } from '../../markdown/view/places.tsx'
import { showHidden } from '../../base/text.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { CopyButton } from '../internals/buttons.tsx'
import type { PartAttributes } from '../internals/part.ts'

export interface CodeBlockProps extends CodeRendererProps {
  /** The lines in another form: the same letters. */
  readonly children?: ReactNode
}

/** A block of code with its language and a button that copies it as it is shown. It runs from left to right and scrolls where a line is long. */
export function CodeBlock({
  language,
  lines,
  tail,
  children = <LineChunks chunks={lines} />,
}: CodeBlockProps): ReactNode {
  const strings = useDictionary().markdown
  return (
    <div className="cs-code" role="group" aria-label={language ?? strings.code}>
      <div className="cs-md-head">
        <span translate="no">{language}</span>
        <CopyButton text={() => showHidden(codeBlockText(lines))} labelled />
      </div>
      {/* A frame that scrolls must be within reach of the keyboard. */}
      <pre dir="ltr" translate="no" tabIndex={0}>
        <code>
          {children}
          {tail}
        </code>
      </pre>
    </div>
  )
}

showsMarks.add(CodeBlock)

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
