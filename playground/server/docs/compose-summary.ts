import type { DocsIndex } from './docs-index.ts'
import { pageOf } from './docs-index.ts'
import type { Passage } from './passages.ts'
import type { Section } from './sections.ts'
import { beginningOf } from './sentences.ts'
import { uniqueTerms } from './terms.ts'

/** The summary of one page, as markdown in the words of the page. */
export interface Summary {
  readonly page: Section
  readonly text: string
  /** A name for a file with it. */
  readonly fileName: string
}

const ASKS_FOR_ONE = /\bsummar(?:y|ies|i[sz]e)\b/i
/** Words of the wish itself, which are not what the page is about. */
const OF_THE_WISH = new Set(
  uniqueTerms('summary summarize summarise page guide docs write save store put file please short brief'),
)
const LEAST_LENGTH = 60
const MOST_LENGTH = 220

/** Whether somebody wants the summary of a page. */
export function asksForSummary(asked: string): boolean {
  return ASKS_FOR_ONE.test(asked)
}

/** Summarizes the page that is named; undefined when no page is. */
export function composeSummary(index: DocsIndex, asked: string): Summary | undefined {
  const terms = uniqueTerms(asked).filter((term) => !OF_THE_WISH.has(term))
  const page = pageNamed(index, terms)
  if (page === undefined) return undefined
  const address = pageOf(page)
  const lines = index.openings(address).map(({ section, blocks }) => {
    const said = firstWords(blocks)
    if (said === '') return ''
    return section.heading === section.pageTitle ? `${said}\n` : `- **${section.heading}** ${said}`
  })
  const name = address.slice(address.lastIndexOf('/') + 1).replaceAll(/[^\w.-]/g, '-')
  return {
    page,
    text: [`# ${page.pageTitle}, in short`, ...lines.filter((line) => line !== '')]
      .join('\n\n')
      .replaceAll('\n\n\n', '\n\n')
      .replaceAll('\n\n- ', '\n- '),
    fileName: `${name}-summary.md`,
  }
}

/** The page whose title or address says most of what was asked; else the one that answers it best. */
function pageNamed(index: DocsIndex, terms: readonly string[]): Section | undefined {
  if (terms.length === 0) return undefined
  const rated = index.pageStarts.map((page) => {
    const names = uniqueTerms(`${page.pageTitle} ${pageOf(page).replaceAll('/', ' ')}`)
    return { page, rate: terms.filter((term) => names.includes(term)).length }
  })
  const best = rated.reduce(
    (one, other) => (other.rate > one.rate ? other : one),
    rated[0] ?? { page: undefined, rate: 0 },
  )
  return best.rate > 0 ? best.page : index.search({ terms, context: [] })[0]?.passage.section
}

function firstWords(blocks: Passage['blocks']): string {
  const prose = blocks.find((block) => block.kind === 'prose')
  // What a colon introduces is not here.
  return prose?.kind === 'prose' ? beginningOf(prose.text, LEAST_LENGTH, MOST_LENGTH).replace(/:$/, '.') : ''
}
