'use client'
import type { MouseEvent, ReactNode } from 'react'
import { memo, useCallback, useState } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { MediaItem } from '../seam/agent-event.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import type { AttributesOf, PartAttributes } from './internals/attributes/part-attributes.ts'
import { iconOfType } from './internals/icon-of-type.ts'
import { Icon } from './internals/icon.tsx'
import { OpenLink } from './internals/open-link.tsx'
import { hostOf, safeMedia } from './internals/safe-url.ts'
import { useMediaConsent } from './media-policy.tsx'

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
export const MediaFigure = memo(function MediaFigure({ item, number, allowedHosts }: MediaFigureProps): ReactNode {
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
