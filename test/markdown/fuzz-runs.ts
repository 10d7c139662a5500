import { tests } from 'commonmark-spec'
import { COMMONMARK_DIFFERENCES, explanation, GITHUB_DIFFERENCES } from './known-differences.ts'
import {
  COMMON_LINES,
  concatenation,
  lineGrammarDocument,
  longParagraph,
  MATH_LINES,
  MATH_SPANS,
  pieces,
  PLAIN_LINES,
  seededRandom,
} from './line-grammar.ts'
import { commonmarkHtml, githubHtml, ourHtml } from './peers.ts'
import { mathSyntax } from '../../src/markdown/math-syntax.ts'
import { streamFault } from './stream-check.ts'

const EXAMPLES = tests.map(({ markdown }) => markdown.replaceAll('→', '\t'))

export type FuzzKind =
  | 'lines'
  | 'plain'
  | 'formulas'
  | 'formula paragraphs'
  | 'concatenations'
  | 'paragraphs'
  | 'commonmark'
  | 'github'

export interface FuzzReport {
  readonly count: number
  /** What went wrong, with the text that it went wrong with. */
  readonly faults: readonly string[]
  /** Differences from another parser that are known, by their names. */
  readonly explained: Readonly<Record<string, number>>
}

/** Some texts of a kind: streamed in several ways, or read by another parser as well. Everything follows from the seed. */
export function runFuzz(kind: FuzzKind, seed: number, count: number): FuzzReport {
  const random = seededRandom(seed)
  const faults: string[] = []
  const explained: Record<string, number> = {}
  for (let run = 0; run < count; run++) {
    const text = textOf(kind, random)
    if (kind === 'commonmark' || kind === 'github') {
      const ours = ourHtml(text)
      const theirs = kind === 'github' ? githubHtml(text) : commonmarkHtml(text)
      if (ours === theirs) continue
      const name = explanation(kind === 'github' ? GITHUB_DIFFERENCES : COMMONMARK_DIFFERENCES, text, ours, theirs)
      if (name === undefined) faults.push(`${JSON.stringify(text)}\nours   ${ours}\ntheirs ${theirs}`)
      else explained[name] = (explained[name] ?? 0) + 1
    } else {
      const fault = cutsOf(text, random)
        .map((cut) => streamFault(cut, kind.startsWith('formula') ? { math: mathSyntax } : undefined))
        .find((found) => found !== undefined)
      if (fault !== undefined) faults.push(`${JSON.stringify(text)}\n${fault}`)
    }
  }
  return { count, faults, explained }
}

function textOf(kind: FuzzKind, random: () => number): string {
  switch (kind) {
    case 'concatenations':
      return concatenation(random, EXAMPLES)
    case 'paragraphs':
      return longParagraph(random)
    case 'formulas':
      return lineGrammarDocument(random, MATH_LINES)
    case 'formula paragraphs':
      return longParagraph(random, MATH_SPANS)
    case 'plain':
      return lineGrammarDocument(random, PLAIN_LINES)
    case 'commonmark':
      return lineGrammarDocument(random, COMMON_LINES)
    case 'lines':
    case 'github':
      return lineGrammarDocument(random)
  }
}

/** Short texts are cut at every code unit as well. */
function cutsOf(text: string, random: () => number): string[][] {
  const cuts = [pieces(text, random), pieces(text, random, 5)]
  return text.length <= 200 ? [...cuts, pieces(text)] : cuts
}
