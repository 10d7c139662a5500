import type { Citation } from '../../seam/agent-event.ts'
import { hostOf, safeLink } from '../../base/safe-url.ts'

/** What a source is called: its title, or else its host, id or address. */
export function sourceTitle({ title, uri, sourceId }: Citation): string {
  const link = safeLink(uri)
  return title.trim() || (link && hostOf(link)) || sourceId || uri
}
