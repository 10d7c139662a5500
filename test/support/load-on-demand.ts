import { citationCard } from '../../src/components/citation-block/citation-mark.tsx'
import { messageEditor } from '../../src/components/composer/open-editor.ts'
import { loadEngine } from '../../src/components/markdown-block/lazy-engine.ts'
import { taskComponents } from '../../src/components/task-area/lazy-tasks.ts'

/** Fetches what parts fetch when they need it, so that what is tested begins after that. */
export async function loadOnDemand(): Promise<void> {
  await Promise.all([loadEngine(), citationCard.load(), messageEditor.load(), taskComponents.load()])
}
