import MiniSearch from 'minisearch'
import type { DocsPage } from './docs-page.ts'
import { passagesOf, passageText, type Passage } from './passages.ts'
import { countWords } from './sentences.ts'
import { wordsOf as blockText, type Section } from './sections.ts'
import { synonymsOf } from './synonyms.ts'
import { termOf, uniqueTerms, wordsOf } from './terms.ts'

export interface Question {
  /** What must be found. */
  readonly terms: readonly string[]
  /** What the talk was about before; it helps to choose but is not enough. */
  readonly context: readonly string[]
}

export interface Hit {
  readonly passage: Passage
  readonly score: number
  /** 0 to 1: how much of the question the passage and its heading have words for, rare words counting more. */
  readonly coverage: number
}

/** The repository's pages, ready to be asked. */
export interface DocsIndex {
  readonly passageCount: number
  readonly pageStarts: readonly Section[]
  /** Best first; only passages that really hold words of the question. */
  search(question: Question): Hit[]
  /** What is after a passage in the same section, in order. */
  following(passage: Passage): Passage[]
  /** How the next sections of the page begin, when the passage opens the page; a page unfolds what its first section says. */
  unfolding(passage: Passage): Passage[]
  /** How each section of the page with that address begins, in order. */
  openings(page: string): Passage[]
  /** Headings that sound like the question, spelling mistakes allowed. */
  closestHeadings(question: Question): Section[]
  /** How telling a term is: near 0 for one that is everywhere, more for a rarer one. */
  weightOf(term: string): number
}

const MOST_CLOSEST = 3
/** Shorter words have too many neighbours: bread is not break. */
const SHORTEST_MISSPELT = 6
const FIRST_PASSAGE_FACTOR = 1.2
const LIST_FACTOR = 0.85
/** A line such as "Status: in force" answers nothing. */
const SHORT_FACTOR = 0.4
const FEWEST_WORDS = 8
/** Pages in their own folder go deeper than most people ask. */
const NESTED_FACTOR = 0.7

/** A word that means the same counts a little less than the word itself. */
const SYNONYM_SHARE = 0.8
/** What the rest of the section says counts less than the passage that is quoted. */
const SECTION_SHARE = 0.75
/** How much a heading that asks the same adds. */
const HEADING_BONUS = 1.5
/** Of a long question only so much has to be found: people tell a story before they ask. */
const USUAL_TERMS = 6

export function createDocsIndex(pages: readonly DocsPage[]): DocsIndex {
  const passages = pages.flatMap(passagesOf)
  const byId = new Map(passages.map((passage) => [passage.id, passage]))
  const termSets = new Map(passages.map((passage) => [passage.id, new Set(uniqueTerms(searchText(passage)))]))
  const units = new Map(passages.map((passage) => [passage.id, unitsOf(passage)]))
  const bySection = new Map<string, Set<string>>()
  for (const passage of passages)
    bySection.set(
      passage.section.id,
      new Set([...(bySection.get(passage.section.id) ?? []), ...(units.get(passage.id)?.[0] ?? [])]),
    )
  const frequency = new Map<string, number>()
  for (const terms of termSets.values()) for (const term of terms) frequency.set(term, (frequency.get(term) ?? 0) + 1)

  const engine = new MiniSearch<{ id: string; heading: string; page: string; text: string }>({
    fields: ['heading', 'page', 'text'],
    tokenize: wordsOf,
    processTerm: (word) => termOf(word) ?? null,
    searchOptions: { boost: { heading: 2.5, page: 1.2 }, combineWith: 'OR' },
  })
  engine.addAll(
    passages.map((passage) => ({
      id: passage.id,
      heading: passage.section.heading,
      page: passage.section.pageTitle,
      text: passageText(passage),
    })),
  )

  const weightOf = (term: string): number => Math.log((passages.length + 1) / ((frequency.get(term) ?? 0) + 0.5))

  /** A word that nobody wrote is as telling as what the pages call it. */
  const askedWeightOf = (term: string): number => {
    const known = frequency.has(term) ? [] : [...synonymsOf(term)].filter((other) => frequency.has(other))
    return known.length > 0 ? Math.max(...known.map(weightOf)) : weightOf(term)
  }

  /** How much of the question some terms have words for, 0 to 1. */
  const shareIn = (held: ReadonlySet<string> | undefined, terms: readonly string[]): number => {
    const total = terms.reduce((sum, term) => sum + askedWeightOf(term), 0)
    const found = terms.reduce((sum, term) => {
      if (held?.has(term)) return sum + askedWeightOf(term)
      return [...synonymsOf(term)].some((other) => held?.has(other)) ? sum + askedWeightOf(term) * SYNONYM_SHARE : sum
    }, 0)
    return total > 0 ? found / total : 0
  }

  const coverageOf = (passage: Passage, terms: readonly string[]): number => {
    const share = Math.max(
      ...(units.get(passage.id) ?? []).map((held) => shareIn(held, terms)),
      shareIn(bySection.get(passage.section.id), terms) * SECTION_SHARE,
    )
    return Math.min(1, share * Math.max(1, terms.length / USUAL_TERMS))
  }

  /** How well a heading asks what was asked: 1 when it says all of it and nothing else. */
  const headingFit = ({ section }: Passage, terms: readonly string[]): number => {
    const heading = uniqueTerms(section.heading)
    const asked = shareIn(new Set(heading), terms)
    const answered = shareIn(new Set(terms), heading)
    return asked * (0.5 + 0.5 * answered)
  }

  const query = (
    terms: readonly string[],
    options: Parameters<typeof engine.search>[1],
  ): { passage: Passage; score: number; terms: string[] }[] =>
    engine
      .search(terms.join(' '), { ...options, processTerm: (term) => term })
      .flatMap(({ id, score, terms: matched }) => {
        // MiniSearch types ids as `any`; ours are the strings given above.
        const passage = byId.get(id as string)
        return passage ? [{ passage, score, terms: matched }] : []
      })

  /** A word nobody wrote is read as the closest one somebody did, if there is one a letter away. */
  const corrected = (terms: readonly string[]): string[] =>
    terms.map((term) => {
      if (frequency.has(term) || term.length < SHORTEST_MISSPELT || synonymsOf(term).size > 0) return term
      return query([term], { fuzzy: 1 })[0]?.terms[0] ?? term
    })

  const openingsOf = (page: string): Passage[] =>
    passages.filter((each) => each.position === 0 && pageOf(each.section) === page)

  return {
    passageCount: passages.length,
    pageStarts: passages
      .filter((passage) => !isNested(passage))
      .map(({ section }) => section)
      .filter(({ pageTitle }, at, sections) => sections.findIndex((other) => other.pageTitle === pageTitle) === at),
    weightOf,
    search({ terms, context }) {
      const wanted = corrected(terms)
      const asked = wanted.length > 0 ? wanted : context
      const alike = wanted.flatMap((term) => [...synonymsOf(term)])
      const boostTerm = (term: string): number => (wanted.includes(term) ? 1 : alike.includes(term) ? 0.6 : 0.3)
      return query([...new Set([...wanted, ...alike, ...context])], { boostTerm })
        .map(({ passage, score }) => {
          const coverage = coverageOf(passage, asked)
          return {
            passage,
            coverage,
            score: score * coverage * (1 + HEADING_BONUS * headingFit(passage, asked)) * shapeFactor(passage),
          }
        })
        .filter((hit) => hit.coverage > 0)
        .toSorted((a, b) => b.score - a.score)
    },
    openings: openingsOf,
    unfolding({ section, position }) {
      const openings = openingsOf(pageOf(section))
      return position === 0 && openings[0]?.section.id === section.id ? openings.slice(1) : []
    },
    following: ({ section, position }) =>
      passages.filter((each) => each.section.id === section.id && each.position > position),
    closestHeadings({ terms }) {
      const alike = query(terms, {
        fields: ['heading', 'page'],
        fuzzy: (term) => (term.length >= SHORTEST_MISSPELT ? 1 : false),
        prefix: (term) => term.length > 3,
      })
      const ranked = alike.toSorted((a, b) => b.score * shapeFactor(b.passage) - a.score * shapeFactor(a.passage))
      return [...new Map(ranked.map(({ passage: { section } }) => [section.id, section])).values()].slice(
        0,
        MOST_CLOSEST,
      )
    },
  }
}

/** What says something by itself: a list holds many words, and each of its items only a few. */
function unitsOf(passage: Passage): ReadonlySet<string>[] {
  const around = [
    passage.section.heading,
    passage.section.pageTitle,
    ...passage.blocks.flatMap((block) => (block.kind === 'items' ? [] : [blockText(block)])),
  ]
  const items = passage.blocks.flatMap((block) => (block.kind === 'items' ? block.items : []))
  return (items.length > 0 ? items : ['']).map((item) => new Set(uniqueTerms([...around, item].join('\n'))))
}

/** The first passage says what a section is about; lists hold many words and explain few. */
function shapeFactor(passage: Passage): number {
  const place = (passage.position === 0 ? FIRST_PASSAGE_FACTOR : 1) * (isNested(passage) ? NESTED_FACTOR : 1)
  const form = passage.blocks[0]?.kind === 'items' ? LIST_FACTOR : 1
  return place * form * (countWords(passageText(passage)) < FEWEST_WORDS ? SHORT_FACTOR : 1)
}

/** The address of the page of a section. */
export function pageOf({ id }: Section): string {
  return id.split('#', 1)[0] ?? id
}

function isNested({ section }: Passage): boolean {
  return /^\/docs\/[^#]*\//.test(section.id)
}

function searchText(passage: Passage): string {
  return [passage.section.heading, passage.section.pageTitle, passageText(passage)].join('\n')
}
