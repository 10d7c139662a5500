'use client'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { MediaItem } from '../../protocols/agent-event.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { LEAVING, hostOf, safeMedia } from '../safe-url.ts'

/** `image/jpeg` as people say it. */
function kindOf(mimeType: string): string {
  const subtype = mimeType.split(';')[0]?.split('/')[1] ?? mimeType
  return subtype.replace(/\+xml$/, '').toUpperCase()
}

/** One box of a media row: asks, loads, shows, or says why it can not. `data-state` is asking, loading, loaded or failed. */
export function MediaFigure({ item, number }: { readonly item: MediaItem; readonly number: number }): ReactNode {
  const dictionary = useDictionary()
  const words = dictionary.media
  const [state, setState] = useState<'asking' | 'loading' | 'loaded' | 'failed'>('asking')
  const url = safeMedia(item.url)
  const image = item.mimeType.startsWith('image/')
  const shown = url && image && (state === 'loading' || state === 'loaded')
  return (
    <li className="cs-media-item">
      <figure className="cs-media-figure" data-state={state}>
        <div className="cs-media-box">
          {shown ? (
            <img
              className="cs-media-image"
              src={url.href}
              alt={item.alt ?? words.image(number)}
              referrerPolicy="no-referrer"
              decoding="async"
              onLoad={() => setState('loaded')}
              onError={() => setState('failed')}
            />
          ) : (
            <div className="cs-media-ask">
              <Icon name={image ? 'image' : 'file'} size={20} />
              {url ? (
                <>
                  <span>
                    <bdi className="cs-media-host">{hostOf(url)}</bdi>
                    {state === 'failed' ? words.failed : image ? words.asks(kindOf(item.mimeType)) : kindOf(item.mimeType)}
                  </span>
                  {image ? (
                    <button type="button" className="cs-button" data-kind="plain" data-size="small" onClick={() => setState('loading')}>
                      {state === 'failed' ? words.retry : words.load}
                    </button>
                  ) : (
                    <a className="cs-button" data-kind="plain" data-size="small" href={url.href} {...LEAVING}>
                      {words.open}
                      <span className="cs-hidden">{dictionary.citations.newTab}</span>
                    </a>
                  )}
                </>
              ) : (
                <span>{words.unsafe}</span>
              )}
            </div>
          )}
        </div>
        {item.alt && (
          <figcaption className="cs-meta" dir="auto">
            {item.alt}
          </figcaption>
        )}
      </figure>
    </li>
  )
}
