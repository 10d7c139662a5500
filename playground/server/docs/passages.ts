import type { DocsPage } from './docs-page.ts'
import { sectionsOf, wordsOf, type Block, type Section } from './sections.ts'

/** Blocks that are quoted together, because one introduces the next. */
export interface Passage {
  /** Unique over all pages. */
  readonly id: string
  readonly section: Section
  /** Where it is in its section, from 0. */
  readonly position: number
  readonly blocks: readonly Block[]
}

/** Longer code is an example to open, not to read in an answer. */
const LONGEST_CODE_LINES = 24

/** Cuts a page where it can be cut: not between "as follows:" and what follows, not before code. */
export function passagesOf(page: DocsPage): Passage[] {
  return sectionsOf(page).flatMap((section) => {
    const groups: Block[][] = []
    for (const block of section.blocks) {
      if (block.kind === 'code' && block.code.split('\n').length > LONGEST_CODE_LINES) continue
      const last = groups.at(-1)
      const before = last?.at(-1)
      const introduced = before?.kind === 'prose' && (before.text.endsWith(':') || block.kind === 'code')
      if (last && introduced) last.push(block)
      else groups.push([block])
    }
    return groups.map((blocks, position) => ({ id: `${section.id} ${position}`, section, position, blocks }))
  })
}

/** All the words of a passage. */
export function passageText(passage: Passage): string {
  return passage.blocks.map(wordsOf).join('\n')
}
