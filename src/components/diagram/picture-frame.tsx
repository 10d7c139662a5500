import type { ReactNode } from 'react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createSizeObserver } from '../../base/dom/node-page.ts'
import type { FrameConnection, FrameEvent, PictureSize } from './connect-frame.ts'
import { connectFrame } from './connect-frame.ts'

/** A picture gets no smaller than this to fit: a wider one scrolls. */
const SMALLEST_SCALE = 0.6

interface PictureFrameProps {
  /** Its document: an address, or the document itself. */
  readonly document: { readonly src: string } | { readonly srcDoc: string }
  readonly title: string
  readonly source: string
  readonly theme: string
  readonly timeoutMs: number
  readonly size: PictureSize | undefined
  readonly hidden: boolean
  readonly onEvent: (event: FrameEvent) => void
}

/** The frame in which a diagram is drawn, as large as the picture that is in it. Its content has no origin and cannot leave it. */
export function PictureFrame({
  document: content,
  title,
  source,
  theme,
  timeoutMs,
  size,
  hidden,
  onEvent,
}: PictureFrameProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const connection = useRef<FrameConnection | undefined>(undefined)
  const listener = useRef(onEvent)
  const [space, setSpace] = useState(0)
  useLayoutEffect(() => {
    listener.current = onEvent
  })
  // Before the frame has loaded: its document is handed the channel then.
  useLayoutEffect(() => {
    if (!frame.current) return undefined
    connection.current = connectFrame(frame.current, timeoutMs, (event) => listener.current(event))
    return () => connection.current?.stop()
  }, [timeoutMs])
  useEffect(() => {
    if (source !== '') connection.current?.draw(source, theme)
  }, [source, theme])
  useEffect(() => {
    const element = box.current
    if (!element) return undefined
    const sizes = createSizeObserver(element, ([entry]) => entry && setSpace(entry.contentRect.width))
    sizes?.observe(element)
    return () => sizes?.disconnect()
  }, [])
  const scale = size ? Math.min(Math.max(space / size.width, SMALLEST_SCALE), 1) : 1
  return (
    <div
      ref={box}
      className="cs-diagram-picture"
      data-hidden={hidden ? '' : undefined}
      // A frame that scrolls must be within reach of the keyboard.
      {...(!hidden && { tabIndex: 0, role: 'group', 'aria-label': title })}
    >
      <iframe
        ref={frame}
        {...content}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        title={title}
        tabIndex={-1}
        width={size ? Math.ceil(size.width * scale) : undefined}
        height={size ? Math.ceil(size.height * scale) : undefined}
      />
    </div>
  )
}
