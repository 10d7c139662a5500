'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useRef } from 'react'
import type { MediaItem } from '../../protocols/agent-event.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { classNames } from '../part.ts'
import { MediaFigure } from './media-figure.tsx'

export interface MediaCarouselProps extends Omit<ComponentPropsWithoutRef<'section'>, 'children'> {
  readonly items: readonly MediaItem[]
}

/**
 * Pictures and files in a row of equal boxes. Nothing remote is loaded until the reader asks, so that
 * an agent's answer can not tell another server that, and by whom, it was read.
 */
export function MediaCarousel({ items, className, ...rest }: MediaCarouselProps): ReactNode {
  const words = useDictionary().media
  const row = useRef<HTMLUListElement>(null)
  const move = (direction: 1 | -1) => () => {
    const list = row.current
    if (!list) return
    const forward = getComputedStyle(list).direction === 'rtl' ? -direction : direction
    list.scrollBy({ left: forward * list.clientWidth * 0.8 })
  }
  if (items.length === 0) return null
  const allImages = items.every((item) => item.mimeType.startsWith('image/'))
  return (
    <section aria-label={words.label} {...rest} className={classNames('cs-part cs-media', className)}>
      {items.length > 1 && (
        <div className="cs-media-head">
          <span className="cs-grow">{allImages ? words.images(items.length) : words.count(items.length)}</span>
          <button type="button" className="cs-icon-button" data-size="small" aria-label={words.previous} onClick={move(-1)}>
            <Icon name="left" />
          </button>
          <button type="button" className="cs-icon-button" data-size="small" aria-label={words.next} onClick={move(1)}>
            <Icon name="right" />
          </button>
        </div>
      )}
      {/* `list-style: none` takes the list role away in Safari; saying it keeps it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-redundant-roles */}
      <ul ref={row} role="list" className="cs-media-row" aria-label={words.row} tabIndex={items.length > 1 ? 0 : undefined}>
        {items.map((item, index) => (
          // An agent may send one picture twice; the place in the row is what tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <MediaFigure key={`${index} ${item.url}`} item={item} number={index + 1} />
        ))}
      </ul>
    </section>
  )
}
