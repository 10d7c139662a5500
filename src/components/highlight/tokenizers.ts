import type { GrammarLoader } from './common-languages.ts'
import type { LineTokenizer } from './line-tokenizer.ts'

export type CreateTokenizer = (grammars: readonly object[]) => LineTokenizer

/** The tokenizers of some languages, each made once. */
export interface Tokenizers {
  /** Undefined for an unknown language. Rejects when its code cannot be loaded; the next call tries again. */
  get(language: string): Promise<LineTokenizer> | undefined
}

/** @param load Fetches what makes a tokenizer of grammars; asked for when a known language is first named. */
export function createTokenizers(
  languages: Readonly<Record<string, GrammarLoader>>,
  load: () => Promise<CreateTokenizer>,
): Tokenizers {
  const made = new Map<GrammarLoader, Promise<LineTokenizer>>()
  const make = async (loadGrammars: GrammarLoader): Promise<LineTokenizer> => {
    const [create, { default: grammars }] = await Promise.all([load(), loadGrammars()])
    return create(grammars)
  }
  return {
    get(language) {
      // The name comes from an agent: `constructor` is no language.
      const loadGrammars = Object.hasOwn(languages, language) ? languages[language] : undefined
      if (loadGrammars === undefined) return undefined
      let tokenizer = made.get(loadGrammars)
      if (tokenizer === undefined) {
        tokenizer = make(loadGrammars)
        made.set(loadGrammars, tokenizer)
        tokenizer.catch(() => made.delete(loadGrammars))
      }
      return tokenizer
    },
  }
}
