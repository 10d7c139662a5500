import { type ReactNode, useMemo, useRef, useState, type RefObject, useEffect, useLayoutEffect } from 'react'
import { LineChunks, codeBlockText } from '../../markdown/view/code-view.tsx'
import type { CodeRendererProps } from '../../markdown/view/markdown-renderers.ts'
import { showHidden } from '../../base/text.ts'
import { CopyButton } from '../internals/clipboard/copy-button.tsx'
import type { AttributesOf, PartAttributes } from '../internals/attributes/part-attributes.ts'
import { type FrameEvent, type PictureSize, type FrameConnection, connectFrame } from './connect-frame.ts'
import { diagramFrame } from './diagram-frame.ts'
import type { DiagramStrings } from '../../strings/diagram-and-math.ts'
import { windowOf, isElement, rootsOf, createSizeObserver } from '../../base/node-page.ts'

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
function PictureFrame({
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

/** Where the sheet puts the colours of the theme, none of which is seen there: ink, lines, nodes, their edges, other grounds, the page. */
const PLACES = ['caretColor', 'columnRuleColor', 'floodColor', 'lightingColor', 'outlineColor', 'stopColor'] as const

/** A colour that the sheet has mixed in sRGB, in hexadecimal figures. Empty: there is no sheet. */
function hexOf(color: string): string {
  if (!color.startsWith('color(srgb')) return ''
  return color.replaceAll(/\D*(\d[\d.e-]*)\D*/g, (_, part: string) =>
    Math.min(Math.round(+part * 255), 255)
      .toString(16)
      .padStart(2, '0'),
  )
}

function themeOf(element: HTMLElement, view: Window): string {
  const style = view.getComputedStyle(element)
  const colors = PLACES.map((place) => hexOf(style[place]))
  // Ink that has much green is on a dark ground.
  const scheme = colors.join('').slice(2) > '8' ? 'dark' : 'light'
  return colors.includes('') ? scheme : [scheme, ...colors].join(' #')
}

/**
 * The scheme and the colours of the theme around an element, as the frame of a diagram reads them: "dark #e5e8ea …". Changes with the
 * system, and with the attributes of the page and of the theme around.
 */
function useTheme(ref: RefObject<HTMLElement | null>): string {
  const [theme, setTheme] = useState('light')
  useEffect(() => {
    const element = ref.current
    const view = element && windowOf(element)
    // No function in tests without a browser.
    if (!element || typeof view?.matchMedia !== 'function') return undefined
    const look = (): void => setTheme(themeOf(element, view))
    look()
    const system = view.matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', look)
    const page = new view.MutationObserver(look)
    const { documentElement, body } = element.ownerDocument
    // The scheme is inherited by a shadow root from around its host.
    const themes = [element, ...rootsOf(element).map((root) => ('host' in root ? root.host : undefined))]
    for (const around of [
      documentElement,
      body,
      ...themes.map((from) => isElement(from) && from.closest('[data-theme]')),
    ])
      if (around) page.observe(around, { attributeFilter: ['class', 'style', 'data-theme'] })
    return () => {
      system.removeEventListener('change', look)
      page.disconnect()
    }
  }, [ref])
  return theme
}

/** Half a screen of a phone, so that the picture is drawn before the reader gets there. */
const MARGIN = '400px'

/** Whether an element has been near the view. It stays so. */
function useNearView(ref: RefObject<HTMLElement | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    const element = ref.current
    // Where nobody can tell, as in a test without a browser, it never is: the source stays.
    const view: Partial<NonNullable<Document['defaultView']>> | null = element && windowOf(element)
    if (!element || isNear || !view?.IntersectionObserver) return undefined
    const observer = new view.IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, isNear])
  return isNear
}

/** The `data-*` attributes of what `createDiagram` makes. */
export const diagramAttributes = {
  root: {
    selector: '.cs-diagram',
    attributes: {
      'data-state': {
        values: ['source', 'drawing', 'complete', 'failed'],
        meaning: 'No picture yet, a picture of what has come, of all of it, or none that could be drawn',
      },
    },
  },
  picture: {
    selector: '.cs-diagram-picture',
    internal: true,
    attributes: {
      'data-hidden': { values: 'present', meaning: 'Not shown: nothing is drawn yet, or the source is shown' },
    },
  },
} as const satisfies PartAttributes

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
