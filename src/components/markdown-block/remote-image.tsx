import type { ReactNode } from 'react'
import { useState } from 'react'
import { capMarks } from '../../base/cap-marks.ts'
import type { ImageRendererProps } from '../../markdown/view/markdown-renderers.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from '../internals/icon.tsx'
import { useMediaConsent } from '../media-carousel/media-policy.tsx'
import { hostOf } from '../internals/safe-url.ts'

/** A picture in the text: a chip with its words and its host until the reader asks for it, for loading it tells the host who reads. */
export function RemoteImage({ src, alt, title }: ImageRendererProps): ReactNode {
  const strings = useDictionary().media
  const [allowed, ask] = useMediaConsent(src)
  const [failed, setFailed] = useState(false)
  if (allowed && !failed) {
    return (
      <img
        className="cs-md-picture"
        src={src}
        alt={alt}
        title={title}
        referrerPolicy="no-referrer"
        loading="lazy"
        decoding="async"
        onError={() => setFailed(true)}
      />
    )
  }
  const load = (): void => {
    ask()
    setFailed(false)
  }
  return (
    <span className="cs-md-image">
      <Icon name="image" />
      <span>
        {alt && (
          <>
            <bdi>{capMarks(alt)}</bdi>
            <span> · </span>
          </>
        )}
        <bdi>{hostOf(new URL(src))}</bdi>
        {failed && <span>{` · ${strings.failed}`}</span>}
      </span>
      <button type="button" className="cs-button" data-kind="plain" data-size="small" onClick={load}>
        {failed ? strings.retry : strings.load.image}
      </button>
    </span>
  )
}
