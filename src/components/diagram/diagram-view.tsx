import type { ReactNode } from 'react'
import { useMemo, useRef, useState } from 'react'
import { LineChunks, codeBlockText } from '../../markdown/view/code-view.tsx'
import type { CodeRendererProps } from '../../markdown/view/markdown-renderers.ts'
import { showHidden } from '../../base/text/show-hidden.ts'
import { CopyButton } from '../internals/clipboard/copy-button.tsx'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { FrameEvent, PictureSize } from './connect-frame.ts'
import type { diagramAttributes } from './diagram-attributes.ts'
import { diagramFrame } from './diagram-frame.ts'
import type { DiagramStrings } from '../../strings/diagram-and-math.ts'
import { PictureFrame } from './picture-frame.tsx'
import { useTheme } from './use-theme.ts'
import { useNearView } from './use-near-view.ts'

interface DiagramViewProps extends CodeRendererProps {
  readonly mermaidUrl: string | undefined
  readonly frameUrl: string | undefined
  readonly timeoutMs: number
  readonly maxLength: number
  readonly strings: DiagramStrings
}

interface Picture {
  readonly source: string
  readonly size: PictureSize
  /** Of all pictures so far: while the source grows its place gets no lower. */
  readonly tallest: number
}

type Attributes = AttributesOf<typeof diagramAttributes>

/** The source without its last line while that may grow: half a line is a mistake, or another diagram. */
function drawable({ lines, ended }: Pick<CodeRendererProps, 'lines' | 'ended'>): string {
  const text = codeBlockText(lines)
  return ended ? text : text.slice(0, Math.max(text.lastIndexOf('\n'), 0))
}

/** A diagram: its source until a first picture is drawn, then the last picture that could be drawn, and a button between both. */
export function DiagramView(props: DiagramViewProps): ReactNode {
  const { language, lines, closed, tail, strings, mermaidUrl, frameUrl, timeoutMs, maxLength } = props
  const root = useRef<HTMLDivElement>(null)
  const isNear = useNearView(root)
  const theme = useTheme(root)
  const [picture, setPicture] = useState<Picture>()
  const [refused, setRefused] = useState<string>()
  const [isLost, setLost] = useState(false)
  const [asksForSource, askForSource] = useState(false)
  const source = drawable(props)
  const isTooLong = source.length > maxLength
  const isInvalid = closed && refused === source
  const failed = isTooLong || isLost || isInvalid
  const showsPicture = picture !== undefined && !failed && !asksForSource
  const state = failed ? 'failed' : !picture ? 'source' : closed && picture.source === source ? 'complete' : 'drawing'
  const content = useMemo(() => {
    if (!isNear) return undefined
    if (frameUrl !== undefined) return { src: frameUrl }
    return { srcDoc: diagramFrame(new URL(mermaidUrl ?? '', document.baseURI).href) }
  }, [isNear, frameUrl, mermaidUrl])

  const listen = (event: FrameEvent): void => {
    if (event.type === 'lost') setLost(true)
    else if (event.type === 'failed') setRefused(event.source)
    else setPicture((before) => ({ ...event, tallest: Math.max(before?.tallest ?? 0, event.size.height) }))
  }
  return (
    <div
      ref={root}
      className="cs-code cs-diagram"
      role="group"
      aria-label={language}
      data-state={state satisfies Attributes['data-state']}
    >
      <div className="cs-md-head">
        <span translate="no">{language}</span>
        <span className="cs-diagram-actions">
          {picture && !failed && (
            <button type="button" className="cs-button" data-size="small" onClick={() => askForSource(!asksForSource)}>
              {asksForSource ? strings.showPicture : strings.showSource}
            </button>
          )}
          <CopyButton text={() => showHidden(codeBlockText(lines))} labelled />
        </span>
      </div>
      {content && !isTooLong && !isLost && (
        <PictureFrame
          document={content}
          title={strings.diagram}
          source={source}
          theme={theme}
          timeoutMs={timeoutMs}
          size={picture && (closed ? picture.size : { ...picture.size, height: picture.tallest })}
          hidden={!showsPicture}
          onEvent={listen}
        />
      )}
      {failed && <p className="cs-diagram-note">{isInvalid ? strings.invalid : strings.unavailable}</p>}
      {showsPicture ? (
        tail
      ) : (
        // A frame that scrolls must be within reach of the keyboard.
        <pre dir="ltr" translate="no" tabIndex={0}>
          <code>
            <LineChunks chunks={lines} />
            {tail}
          </code>
        </pre>
      )}
    </div>
  )
}
