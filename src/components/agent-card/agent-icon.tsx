import type { ReactNode } from 'react'
import { useState } from 'react'
import { useMediaConsent } from '../media-carousel/media-policy.tsx'

/** The picture of an agent where the media policy lets it load, else the first letter of its name. */
export function AgentIcon({ name, url = '' }: { readonly name: string; readonly url?: string | undefined }): ReactNode {
  const [isAllowed] = useMediaConsent(url)
  const [failed, setFailed] = useState<string>()
  if (isAllowed && failed !== url) {
    return (
      <img
        className="cs-agent-icon"
        src={url}
        alt=""
        width={40}
        height={40}
        referrerPolicy="no-referrer"
        loading="lazy"
        decoding="async"
        onError={() => setFailed(url)}
      />
    )
  }
  return (
    <span className="cs-agent-icon" aria-hidden="true">
      {Array.from(name.trim())[0]?.toLocaleUpperCase()}
    </span>
  )
}
