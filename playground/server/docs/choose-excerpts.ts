import type { DocsIndex, Hit, Question } from './docs-index.ts'
import { passageText, type Passage } from './passages.ts'
import { bestSentences, countWords } from './sentences.ts'
import type { Block, Section } from './sections.ts'
import { synonymsOf } from './synonyms.ts'
import { uniqueTerms, wordsOf } from './terms.ts'

/** What is quoted from one section. */
export interface Excerpt {
  readonly section: Section
  /** 0 to 1. */
  readonly confidence: number
  /** In the order of the page, long ones cut to what was asked. */
  readonly passages: readonly Passage[]
}

/** Below it a passage does not speak of what was asked. */
const LEAST_COVERAGE = 0.4
/** A passage this much weaker than the best one says something else. */
const WEAKEST_SHARE = 0.6
const MOST_PASSAGES = 5
const MOST_SECTIONS = 3
const MOST_WORDS = 260
const ENOUGH_WORDS = 80
/** Whoever asks what a whole page is about gets more than its first words. */
const OVERVIEW_WORDS = 170
const UNFOLDING_SHARE = 0.8
const MOST_PROSE_WORDS = 100
const MOST_ITEMS = 5
const MOST_ITEM_WORDS = 40

/**
 * Chooses what to quote, leaving out what was quoted before. Empty when the pages have no answer.
 *
 * @param within the id of the only section to quote. @default all of them
 */
export function chooseExcerpts(
  index: DocsIndex,
  question: Question,
  quoted: ReadonlySet<string>,
  within?: string,
): Excerpt[] {
  const wanted = [...question.terms.flatMap((term) => [term, ...synonymsOf(term)]), ...question.context]
  const scoreOf = (text: string): number =>
    uniqueTerms(text).reduce((sum, term) => sum + (wanted.includes(term) ? index.weightOf(term) : 0), 0)
  const isWanted = ({ coverage, passage }: Hit): boolean =>
    within === undefined ? coverage >= LEAST_COVERAGE : passage.section.id === within
  const hits = index.search(question).filter((hit) => isWanted(hit) && !quoted.has(hit.passage.id))
  const best = hits[0]?.score ?? 0

  const bySection = new Map<string, Hit[]>()
  let passages = 0
  let words = 0
  const take = (hit: Hit): void => {
    const [main] = bySection.keys()
    const isMain = main === undefined || main === hit.passage.section.id
    if (!isMain && hit.passage.blocks.every((block) => block.kind === 'code')) return
    const trimmed = trim(hit.passage, scoreOf, isMain)
    const length = countWords(passageText(trimmed))
    const kept = bySection.get(hit.passage.section.id)
    const fits = words + length <= MOST_WORDS && (kept !== undefined || bySection.size < MOST_SECTIONS)
    if ((passages > 0 && !fits) || kept?.some(({ passage }) => passage.id === trimmed.id)) return
    bySection.set(hit.passage.section.id, [...(kept ?? []), { ...hit, passage: trimmed }])
    passages += 1
    words += length
  }
  for (const hit of hits) if (hit.score >= best * WEAKEST_SHARE && passages < MOST_PASSAGES) take(hit)
  // What was found is often only the beginning of what the section says.
  const [top] = hits
  for (const passage of top ? index.following(top.passage) : []) {
    if (top && words < ENOUGH_WORDS && !quoted.has(passage.id)) take({ ...top, passage })
  }
  for (const passage of top && within === undefined ? index.unfolding(top.passage) : []) {
    if (top && words < OVERVIEW_WORDS && !quoted.has(passage.id))
      take({ ...top, passage, coverage: top.coverage * UNFOLDING_SHARE })
  }
  return [...bySection.values()].flatMap((kept) => (kept[0] ? [excerptOf(kept[0], kept)] : []))
}

/** How much of the best score a section needs to be meant as well. */
const AS_LIKELY = 0.75
const MOST_WORDS_OF_A_KEYWORD = 2
const MOST_MEANINGS = 4

/** The sections that a keyword could mean as likely, best first; empty for a question, and where only one is meant. */
export function meaningsOf(index: DocsIndex, asked: string, question: Question): Section[] {
  if (question.context.length > 0 || wordsOf(asked).length > MOST_WORDS_OF_A_KEYWORD) return []
  const hits = index.search(question).filter((hit) => hit.coverage >= LEAST_COVERAGE)
  const likely = hits.filter(({ score }) => score >= (hits[0]?.score ?? 0) * AS_LIKELY)
  const sections = [...new Map(likely.map(({ passage: { section } }) => [section.id, section])).values()]
  return sections.length > 1 ? sections.slice(0, MOST_MEANINGS) : []
}

function excerptOf(best: Hit, hits: readonly Hit[]): Excerpt {
  return {
    section: best.passage.section,
    // Words in common are no proof, so never quite 1.
    confidence: Math.min(0.95, Math.round(best.coverage * 100) / 100),
    passages: hits.map((hit) => hit.passage).toSorted((a, b) => a.position - b.position),
  }
}

/** Code stays in what answers the question; what is said next to it keeps its words only. */
function trim(passage: Passage, scoreOf: (text: string) => number, withCode: boolean): Passage {
  const said = passage.blocks.filter((block) => withCode || block.kind !== 'code')
  return { ...passage, blocks: said.map((block) => trimBlock(block, scoreOf)) }
}

function trimBlock(block: Block, scoreOf: (text: string) => number): Block {
  if (block.kind === 'code') return block
  if (block.kind === 'prose') return { ...block, text: bestSentences(block.text, MOST_PROSE_WORDS, scoreOf) }
  return { ...block, items: chosenItems(block, scoreOf).map((item) => bestSentences(item, MOST_ITEM_WORDS, scoreOf)) }
}

/** Steps make sense from the first one on; of other long lists only what was asked about. */
function chosenItems(
  { items, ordered }: Extract<Block, { kind: 'items' }>,
  scoreOf: (text: string) => number,
): readonly string[] {
  if (ordered || items.length <= MOST_ITEMS) return items.slice(0, MOST_ITEMS)
  const scored = items.map((item) => ({ item, score: scoreOf(item) }))
  const best = Math.max(...scored.map(({ score }) => score))
  if (best === 0) return items.slice(0, MOST_ITEMS)
  return scored
    .filter(({ score }) => score >= best / 2)
    .slice(0, MOST_ITEMS)
    .map(({ item }) => item)
}
