import type { AgentPart } from '../../../seam/agent-event.ts'
import type { ArcpArtifactRef } from '../schema/artifacts.ts'

/** An artifact in neutral words. */
export function artifactPart(ref: ArcpArtifactRef): AgentPart {
  const { artifact_id: artifactId, media_type: mimeType, size, data: bytes } = ref
  return { type: 'artifact', artifactId, mimeType, size, bytes, state: 'complete' }
}
