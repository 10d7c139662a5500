import { fileURLToPath } from 'node:url'
import { chooseExcerpts } from '../../../playground/server/docs/choose-excerpts.ts'
import { createDocsIndex } from '../../../playground/server/docs/docs-index.ts'
import { readDocsPages } from '../../../playground/server/docs/docs-page.ts'
import { type Talk, understand } from '../../../playground/server/docs/talks.ts'
import type { FirstQuestion } from './questions.ts'

/** How many sources of an answer count: few people read further. */
const COUNTED = 2

export interface AskedQuestion extends FirstQuestion {
  /** The sections that the answer quotes, in its order. */
  readonly sources: readonly string[]
  /** One of the first two sources is a section that answers the question. */
  readonly hit: boolean
  /** One of them is at least on the page of such a section. */
  readonly pageHit: boolean
}

/** What the docs agent quotes when it is asked each question, from the pages as they are. */
export async function askAll(questions: readonly FirstQuestion[]): Promise<AskedQuestion[]> {
  const index = createDocsIndex(await readDocsPages(fileURLToPath(new URL('../../..', import.meta.url))))
  const answer = (asked: string, talk: Talk | undefined): { sources: string[]; talk: Talk } => {
    const { question, skip } = understand(asked, talk)
    const sources = chooseExcerpts(index, question, skip).map(({ section }) => section.id)
    return { sources, talk: { asked, terms: [...question.terms, ...question.context], quoted: new Set() } }
  }
  return questions.map((question) => {
    const before = question.after === undefined ? undefined : answer(question.after, undefined).talk
    const { sources } = answer(question.asked, before)
    const counted = sources.slice(0, COUNTED)
    const pages = question.answeredBy.map(pageOf)
    return {
      ...question,
      sources,
      hit: counted.some((id) => question.answeredBy.includes(id)),
      pageHit: counted.some((id) => pages.includes(pageOf(id))),
    }
  })
}

function pageOf(address: string): string {
  return address.split('#', 1)[0] ?? address
}
