import type { ReactNode } from 'react'
import { LineChunks, codeBlockText } from '../../markdown/view/code-view.tsx'
import type { CodeRendererProps } from '../../markdown/view/markdown-renderers.ts'
import { showsMarks } from '../../markdown/view/places.tsx'
import { showHidden } from '../../base/text.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { CopyButton } from '../internals/clipboard/copy-button.tsx'

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
