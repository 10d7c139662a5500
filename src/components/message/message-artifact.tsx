import type { ReactNode } from 'react'
import type { MessagePart } from '../../state/message.ts'
import { ArtifactCard } from '../artifact-card.tsx'
import { useOnDemand } from '../on-demand.ts'
import { taskComponents } from '../lazy-tasks.ts'

interface MessageArtifactProps {
  readonly part: Extract<MessagePart, { readonly type: 'artifact' }>
  readonly live: boolean
}

/** An artifact of an answer. The code that shows what is in it is fetched with the first that holds something. */
export function MessageArtifact({ part, live }: MessageArtifactProps): ReactNode {
  const { artifactId, url, mimeType, artifactType, name, version, size, text, bytes, data } = part
  const hasContent = text !== undefined || data !== undefined
  const code = useOnDemand(taskComponents, hasContent)
  const state = part.state === 'growing' ? (live ? 'writing' : 'unfinished') : 'ready'
  const shown = { artifactId, url, mimeType, artifactType, name, version, size, text, bytes, data, state } as const
  return code && hasContent ? <code.ArtifactView {...shown} /> : <ArtifactCard {...shown} />
}
