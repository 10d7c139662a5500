'use client'

import {
  type ComponentPropsWithoutRef,
  type KeyboardEvent,
  type ReactNode,
  forwardRef,
  memo,
  useState,
  type MouseEvent,
  useCallback,
} from 'react'
import { windowOf } from '../base/node-page.ts'
import type { MediaItem } from '../seam/agent-event.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { IconButton } from './internals/buttons.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'
import { SHOWN_AT_FIRST, ShowMore } from './internals/folding.tsx'
import { useScrollPlace } from './internals/use-scroll-place.ts'
import { capMarks } from '../base/cap-marks.ts'
import { iconOfType, Icon } from './internals/icon.tsx'
import { OpenLink } from './internals/open-link.tsx'
import { hostOf, safeMedia } from '../base/safe-url.ts'
import { useMediaConsent } from './media-policy.tsx'

export interface MediaCarouselProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  /** Pictures, sound, film and other files, by MIME type. */
  readonly items: readonly MediaItem[]
  /** Hosts whose media load at once, over https: `cdn.example`, `*.cdn.example`. @default those of the provider */
  readonly allowedHosts?: readonly string[] | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly count: number }> | undefined
}

const MOST_AT_FIRST = 50

/**
 * Renders a `<section>`: media in a row of equal boxes. Nothing remote is loaded until the reader asks, unless its host
 * is allowed, so that an agent's answer can not tell another server that, and by whom, it was read. Nothing plays by
 * itself; a picture opens over the whole window.
 *
 * @example
 * ```tsx
 * import type { MediaItem } from 'capstan'
 * import { MediaCarousel } from 'capstan/components'
 *
 * const items: MediaItem[] = [{ url: 'https://pictures.example/river.png', mimeType: 'image/png', alt: 'A river' }]
 * export const Pictures = () => <MediaCarousel items={items} allowedHosts={['pictures.example']} />
 * ```
 */
export const MediaCarousel = memo(
  forwardRef<HTMLElement, MediaCarouselProps>(function MediaCarousel(props, ref): ReactNode {
    const { items, allowedHosts, render, className, ...rest } = props
    const strings = useDictionary().media
    const [row, place, measure] = useScrollPlace<HTMLUListElement>()
    const [limit, setLimit] = useState(MOST_AT_FIRST)
    if (items.length === 0) return null

    const arrow = (name: 'previous' | 'next', end: 'start' | 'end', step: 1 | -1) =>
      place !== 'none' && (
        <IconButton
          icon={step < 0 ? 'left' : 'right'}
          label={strings[name]}
          // Not `disabled`: the keyboard would lose its place at the end of the row.
          aria-disabled={place === end}
          onClick={() => row.current?.scrollBy({ left: toRight(row.current, step) * row.current.clientWidth * 0.8 })}
        />
      )
    const allImages = items.every(({ mimeType }) => mimeType.startsWith('image/'))
    const children = (
      <>
        {items.length > 1 && (
          <div className="cs-media-head">
            <span className="cs-grow">{allImages ? strings.images(items.length) : strings.count(items.length)}</span>
            {arrow('previous', 'start', -1)}
            {arrow('next', 'end', 1)}
          </div>
        )}
        {/* The keys of the controls inside come here; the row itself only scrolls. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <ul
          ref={row}
          // `list-style: none` removes the list role in Safari; an explicit role keeps it.
          // oxlint-disable-next-line jsx-a11y/no-redundant-roles
          role="list"
          className="cs-media-row"
          aria-label={strings.row}
          tabIndex={place === 'none' ? undefined : 0}
          onScroll={measure}
          onKeyDown={moveFocus}
        >
          {items.slice(0, limit).map((item, index) => (
            // An agent may send one picture twice; the place in the row is what tells them apart.
            // oxlint-disable-next-line react/no-array-index-key
            <MediaFigure key={`${index} ${item.url}`} item={item} number={index + 1} allowedHosts={allowedHosts} />
          ))}
          {items.length > limit && (
            <li>
              <ShowMore left={items.length - limit} onShow={() => setLimit(limit + SHOWN_AT_FIRST)} />
            </li>
          )}
        </ul>
      </>
    )
    return (
      <Root
        tag="section"
        render={render}
        root={{
          role: render ? undefined : 'group',
          'aria-label': strings.label,
          'aria-roledescription': strings.carousel,
          ...rest,
          className: classNames('cs-part cs-media', className),
          children,
        }}
        state={{ count: items.length }}
        rootRef={ref}
      />
    )
  }),
)

/** Converts a step in the inline direction to a step to the right: they are opposites in right-to-left text. */
function toRight(element: Element, step: number): number {
  return windowOf(element)?.getComputedStyle(element).direction === 'rtl' ? -step : step
}

/** The arrow keys go from item to item, over the whole window, too; sound and film keep them for their own time. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  // Only elements have the keyboard.
  const from = event.target as HTMLElement
  const enlarged = from.ariaExpanded === 'true'
  if (event.altKey || event.ctrlKey || event.metaKey || from.matches('audio, video')) return
  const stops = [
    ...event.currentTarget.querySelectorAll<HTMLElement>(enlarged ? '[aria-expanded]' : 'button, a, video'),
  ]
  const at = stops.indexOf(from)
  const step = toRight(from, 1)
  const goals = new Map([
    ['Home', stops[0]],
    ['End', stops.at(-1)],
    ['ArrowLeft', stops[at - step]],
    ['ArrowRight', stops[at + step]],
  ])
  const next = goals.get(event.key)
  if (!next) return
  event.preventDefault()
  next.focus()
  if (enlarged) next.showPopover()
}

/** The `data-*` attributes of `MediaCarousel`. */
export const mediaCarouselAttributes = {
  figures: {
    selector: '.cs-media-figure',
    attributes: {
      'data-state': { values: ['asking', 'loading', 'loaded', 'failed'], meaning: 'How far loading is' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof mediaCarouselAttributes, 'figures'>

/** `image/jpeg` as people say it. */
function kindOf(mimeType: string): string {
  const subtype = mimeType.split(';')[0]?.split('/')[1] ?? mimeType
  return subtype.replace(/\+xml$/, '').toUpperCase()
}

/** Focuses the loaded media, because the button that loaded it is removed. */
function takeFocus(element: HTMLElement | null): void {
  element?.focus()
}

interface MediaFigureProps {
  readonly item: MediaItem
  /** Its place in the row, from 1: the name of a picture without words. */
  readonly number: number
  readonly allowedHosts: readonly string[] | undefined
}

/** One place of a media row: asks, loads, shows, or says why it can not. A picture is one button through all of it. */
const MediaFigure = memo(function MediaFigure({ item, number, allowedHosts }: MediaFigureProps): ReactNode {
  const strings = useDictionary().media
  const [allowed, ask] = useMediaConsent(item.url, allowedHosts)
  const [outcome, setOutcome] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const [pressed, setPressed] = useState(false)
  const [enlarged, setEnlarged] = useState(false)
  // A picture sent by the server may be there before React is.
  const see = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete && image.naturalWidth > 0) setOutcome('loaded')
  }, [])
  const state = allowed ? outcome : 'asking'
  const url = safeMedia(item.url)
  const type = (['image', 'audio', 'video'] as const).find((kind) => item.mimeType.startsWith(`${kind}/`))
  const known = type !== undefined && (url !== undefined || allowed)
  const waits = state === 'asking' || state === 'failed'
  const image = type === 'image'

  const press = (event: MouseEvent<HTMLElement>): void => {
    if (!waits) return void event.currentTarget.togglePopover()
    setPressed(true)
    ask()
    setOutcome('loading')
  }
  const media = { className: 'cs-media-image', src: url?.href ?? item.url, onError: () => setOutcome('failed') }
  const content =
    !known || waits ? (
      <span className="cs-media-ask">
        <Icon name={iconOfType(item.mimeType)} size={20} />
        <span>
          {url && <bdi className="cs-media-host">{hostOf(url)}</bdi>}
          <span>
            {state === 'failed'
              ? strings.failed
              : known
                ? strings.asks(kindOf(item.mimeType))
                : url
                  ? kindOf(item.mimeType)
                  : strings.unsafe}
          </span>
        </span>
        {known ? (
          <span className="cs-button" data-kind="plain" data-size="small">
            {state === 'failed' ? strings.retry : strings.load[type]}
          </span>
        ) : (
          url && (
            <OpenLink data-size="small" href={url.href}>
              {strings.open}
            </OpenLink>
          )
        )}
      </span>
    ) : image ? (
      <img
        {...media}
        ref={see}
        alt={item.alt ?? strings.image(number)}
        referrerPolicy="no-referrer"
        loading="lazy"
        decoding="async"
        onLoad={() => setOutcome('loaded')}
      />
    ) : (
      // An agent sends no captions; an empty track would claim that there are some.
      // oxlint-disable-next-line jsx-a11y/media-has-caption
      <video
        {...media}
        ref={pressed ? takeFocus : undefined}
        controls
        preload="metadata"
        aria-label={item.alt ?? kindOf(item.mimeType)}
        onLoadedMetadata={() => setOutcome('loaded')}
      />
    )
  return (
    <li className="cs-media-item">
      <figure className="cs-media-figure" data-state={state satisfies Attributes['data-state']}>
        <div className="cs-media-box">
          {known && (waits || image) ? (
            <button
              type="button"
              className="cs-media-press"
              onClick={press}
              {...(waits
                ? {}
                : {
                    popover: 'auto',
                    'aria-expanded': enlarged,
                    onToggle: ({ newState }) => setEnlarged(newState === 'open'),
                  })}
            >
              {content}
            </button>
          ) : (
            content
          )}
        </div>
        {item.alt && (
          <figcaption className="cs-meta" dir="auto">
            {capMarks(item.alt)}
          </figcaption>
        )}
      </figure>
    </li>
  )
})
