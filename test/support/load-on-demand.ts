import { citationCard } from '../../src/components/citation-block/cited-text.tsx'
import { messageEditor } from '../../src/components/composer/open-editor.ts'
import { loadEngine } from '../../src/components/markdown-block/markdown-block.tsx'
import { addFootnotes } from '../../src/markdown/view/footnotes.tsx'
import { loadLongBlockLayout } from '../../src/markdown/view/load-long-block-layout.ts'
import { taskComponents } from '../../src/components/lazy-tasks.ts'

/** Fetches what parts fetch when they need it, so that what is tested begins after that. */
export async function loadOnDemand(): Promise<void> {
  addFootnotes()
  await Promise.all([
    loadEngine(),
    loadLongBlockLayout(),
    citationCard.load(),
    messageEditor.load(),
    taskComponents.load(),
  ])
}
