import type { Question } from './docs-index.ts'
import { fromGerman } from './german.ts'
import { tellingWords, termOf, uniqueTerms, wordsOf } from './terms.ts'

/** What a conversation has been about, so that "and why?" means something. */
export interface Talk {
  readonly asked: string
  readonly terms: readonly string[]
  /** Ids of the passages already quoted. */
  readonly quoted: ReadonlySet<string>
}

export interface Understood {
  readonly question: Question
  /** The words of it that were looked for, as they were written. */
  readonly words: readonly string[]
  /** Passages not to say again: only when more of the same was asked for. */
  readonly skip: ReadonlySet<string>
  /** What an earlier question adds, in its own words. */
  readonly followsUp: string | undefined
  /** The user asked for more of the same. */
  readonly more: boolean
  /** The question was German, so the answer is in another language. */
  readonly german: boolean
}

const MORE =
  /^\W*(?:and |so |ok,? |please )?(?:tell me |say |show me |give me )?(?:more|further|go on|continue|what else|anything else|keep going)\b(?:.{0,24})$/i
const POINTS_BACK =
  /\b(?:it|its|that|this|they|them|their|those|these)\b|^\W*(?:and|but|so|what about|how about|why)\b/i
const FEW_TERMS = 3

/** "Does it work with Redis?": what follows such a word is what the question is about. */
const BEFORE_A_NAME = new Set([
  'with',
  'without',
  'in',
  'inside',
  'on',
  'under',
  'for',
  'behind',
  'beside',
  'into',
  'from',
  'to',
  'as',
  'using',
  'support',
  'use',
])

/** Reads a question in the light of the talk so far. */
export function understand(asked: string, talk: Talk | undefined): Understood {
  const translated = fromGerman(asked)
  const said = translated ?? asked
  const terms = uniqueTerms(said)
  const base = {
    words: tellingWords(said),
    skip: new Set<string>(),
    followsUp: undefined,
    more: false,
    german: translated !== undefined,
  }
  if (talk && talk.terms.length > 0) {
    if (MORE.test(asked.trim()))
      return {
        ...base,
        question: { terms: talk.terms, context: [] },
        skip: talk.quoted,
        followsUp: talk.asked,
        more: true,
      }
    if (terms.length <= FEW_TERMS && POINTS_BACK.test(asked) && !asksOfTheProduct(asked, talk)) {
      return {
        ...base,
        question: { terms, context: talk.terms.filter((term) => !terms.includes(term)) },
        followsUp: talk.asked,
      }
    }
  }
  return { ...base, question: { terms, context: [] } }
}

/** "it" stands for the product when the question names a thing that the talk was not about. */
function asksOfTheProduct(asked: string, talk: Talk): boolean {
  if (!/\bit\b/i.test(asked)) return false
  const words = wordsOf(asked)
  return words.some((word, at) => {
    const term = termOf(word)
    if (term === undefined || talk.terms.includes(term) || at === 0) return false
    return BEFORE_A_NAME.has(words[at - 1]?.toLowerCase() ?? '') || /^\p{Lu}/u.test(word)
  })
}

const MOST_TALKS = 200

/** The last talks, by session. The oldest is forgotten first. */
export function createTalks(): { get(session: string): Talk | undefined; set(session: string, talk: Talk): void } {
  const talks = new Map<string, Talk>()
  return {
    get: (session) => talks.get(session),
    set(session, talk) {
      talks.delete(session)
      talks.set(session, talk)
      const [oldest] = talks.keys()
      if (talks.size > MOST_TALKS && oldest !== undefined) talks.delete(oldest)
    },
  }
}
