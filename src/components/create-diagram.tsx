'use client'

import {
  type ComponentType,
  type ReactNode,
  useMemo,
  useRef,
  useState,
  type RefObject,
  useEffect,
  useLayoutEffect,
} from 'react'
import type { CodeRendererProps } from '../markdown/view/markdown-props.ts'
import { linesWithoutMarks, placesIn, showsMarks, withMarks } from '../markdown/view/places.tsx'
import { CodeBlock } from './markdown-block/code-block.tsx'
import { type DiagramStrings, englishDiagram } from '../strings/diagram-and-math.ts'
import { usePack } from './dictionary/use-pack.ts'
import { LineChunks, codeBlockText } from '../markdown/view/block-view.tsx'
import { showHidden } from '../base/text.ts'
import { CopyButton } from './internals/copy-button.tsx'
import type { AttributesOf, PartAttributes } from './internals/part.ts'
import { diagramFrame } from './diagram/diagram-frame.ts'
import { windowOf, isElement, rootsOf, createSizeObserver } from '../base/node-page.ts'
import { isRecord } from '../base/guards.ts'

export interface DiagramOptions {
  /**
   * Where the app serves `dist/mermaid.min.js` of the package `mermaid`. The document of the frame is then a part of the page, whose
   * Content-Security-Policy holds in it: a page that has one needs `frameUrl`. Absent: `frameUrl` is needed.
   */
  readonly mermaidUrl?: string | undefined
  /** Where the app serves what `diagramFrame` of `capstan/diagram` gives. Absent: `mermaidUrl` is needed. */
  readonly frameUrl?: string | undefined
  /** What shows all other code. @default capstan's block */
  readonly code?: ComponentType<CodeRendererProps> | undefined
  /** How long the frame may take to load, and to draw, in milliseconds. Then the source is shown. @default 15_000 */
  readonly timeoutMs?: number | undefined
  /** Most code units of a diagram; a longer one is shown as its source. @default 20_000 */
  readonly maxLength?: number | undefined
  /** Your own words. @default those of the language of the dictionary, in English where it has none */
  readonly strings?: DiagramStrings | undefined
}

/**
 * Makes the component for code of a `MarkdownProvider` that draws fences with the language `mermaid`, each in a frame without an origin:
 * whatever the agent wrote, it reaches neither the page nor the network. Make it once, outside of components. It needs the package
 * `mermaid`, served by the app, and the sheet `capstan/diagram.css`.
 *
 * While the source grows, the last picture that could be drawn stays. A button shows the source, another copies it. A diagram that
 * cannot be drawn is its source, with a note.
 *
 * @throws {Error} Both addresses are given, or none.
 * @example
 * ```tsx
 * import { Chat, MarkdownProvider } from 'capstan/components'
 * import { createDiagram } from 'capstan/diagram'
 * import 'capstan/diagram.css'
 *
 * const renderers = { code: createDiagram({ mermaidUrl: '/mermaid.min.js' }) }
 * export const App = () => <MarkdownProvider renderers={renderers}><Chat /></MarkdownProvider>
 * ```
 */
export function createDiagram({
  mermaidUrl,
  frameUrl,
  code: OtherCode = CodeBlock,
  timeoutMs = 15_000,
  maxLength = 20_000,
  strings,
}: DiagramOptions): ComponentType<CodeRendererProps> {
  if ((mermaidUrl === undefined) === (frameUrl === undefined))
    throw new Error('createDiagram needs either mermaidUrl or frameUrl: docs/components.md says when to use which.')

  function Diagram(props: CodeRendererProps): ReactNode {
    const shown = usePack('diagram', englishDiagram, strings)
    const isDiagram = props.language === 'mermaid' && shown !== undefined
    if (!isDiagram && showsMarks.has(OtherCode)) return <OtherCode {...props} />
    const { lines } = props
    const plain = { ...props, lines: linesWithoutMarks(lines) }
    return (
      <>
        {isDiagram ? (
          <DiagramView
            {...plain}
            mermaidUrl={mermaidUrl}
            frameUrl={frameUrl}
            timeoutMs={timeoutMs}
            maxLength={maxLength}
            strings={shown}
          />
        ) : (
          <OtherCode {...plain} />
        )}
        {withMarks(placesIn(lines))}
      </>
    )
  }
  showsMarks.add(Diagram)
  return Diagram
}

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
function DiagramView(props: DiagramViewProps): ReactNode {
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

/** The size of a picture, in pixels, at its own scale. */
interface PictureSize {
  readonly width: number
  readonly height: number
}

/** `lost`: the frame gave no answer in time, or has no mermaid. */
export type FrameEvent =
  | { readonly type: 'drawn'; readonly source: string; readonly size: PictureSize }
  | { readonly type: 'failed'; readonly source: string }
  | { readonly type: 'lost' }

export interface FrameConnection {
  /** Draws a source. While another is drawn it waits, and the last that waits is the next. */
  draw(source: string, theme: string): void
  stop(): void
}

interface Request {
  readonly source: string
  readonly theme: string
}

/** No picture is larger, whatever the frame says. */
const LARGEST = 20_000

function sizeOf(message: Readonly<Record<string, unknown>>): PictureSize | undefined {
  const { width, height } = message
  const isSize = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= LARGEST
  return isSize(width) && isSize(height) ? { width, height } : undefined
}

/**
 * Speaks with the document that a frame loads first, over a channel that no other window has: a document that came to the frame later
 * gets nothing and is not heard.
 */
export function connectFrame(
  frame: HTMLIFrameElement,
  timeoutMs: number,
  listen: (event: FrameEvent) => void,
): FrameConnection {
  const { port1, port2 } = new MessageChannel()
  let isReady = false
  let count = 0
  let drawn: Request | undefined
  let next: Request | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const lose = (): void => {
    stop()
    listen({ type: 'lost' })
  }
  const expectAnswer = (): void => {
    clearTimeout(timer)
    timer = setTimeout(lose, timeoutMs)
  }
  const send = (): void => {
    if (!isReady || drawn || !next) return
    drawn = next
    next = undefined
    count += 1
    expectAnswer()
    port1.postMessage({ id: count, ...drawn })
  }
  const read = ({ data }: MessageEvent<unknown>): void => {
    if (!isRecord(data)) return
    if (data['type'] === 'missing') return lose()
    if (data['type'] === 'ready' && !isReady) {
      isReady = true
      clearTimeout(timer)
      return send()
    }
    if (!drawn || data['id'] !== count) return
    const { source } = drawn
    const size = data['type'] === 'drawn' ? sizeOf(data) : undefined
    drawn = undefined
    clearTimeout(timer)
    listen(size ? { type: 'drawn', source, size } : { type: 'failed', source })
    send()
  }
  const hand = (): void => {
    // The frame has no origin that could be named.
    frame.contentWindow?.postMessage('capstan-diagram', '*', [port2])
  }
  function stop(): void {
    clearTimeout(timer)
    frame.removeEventListener('load', hand)
    port1.close()
  }

  port1.addEventListener('message', read)
  port1.start()
  frame.addEventListener('load', hand, { once: true })
  expectAnswer()
  return {
    draw(source, theme) {
      next = { source, theme }
      send()
    },
    stop,
  }
}
