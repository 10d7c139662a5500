import { createShikiPrimitive } from 'shiki/core'
import type { LanguageRegistration, ThemeRegistration } from 'shiki/core'
import { createJavaScriptRegexEngine, defaultJavaScriptRegexConstructor } from 'shiki/engine/javascript'
import type { LineTokenizer, Token, TokenKind } from './line-tokenizer.ts'

/** A line that takes longer is given up on. */
const MAX_LINE_MS = 500

/** Where a token's colour is in its number, as TextMate's tokenizers lay it out: 9 bits from the 16th on. */
const colourOf = (metadata: number): number => (metadata >>> 15) & 0x1ff

const SCOPES: Readonly<Record<TokenKind, readonly string[]>> = {
  keyword: [
    'keyword',
    'storage',
    'constant.language',
    'variable.language',
    'entity.name.tag',
    'support.type.property-name',
    'markup.deleted',
    'markup.heading',
  ],
  string: ['string', 'markup.inserted', 'markup.inline.raw'],
  number: ['constant.numeric', 'constant.other.color', 'constant.character.escape', 'keyword.other.unit'],
  comment: ['comment', 'punctuation.definition.comment', 'meta.diff.header', 'meta.diff.range'],
  name: ['entity.name.function', 'entity.name.type', 'entity.name.class', 'entity.other.inherited-class'],
}

/** Punctuation and the code inside of a string template keep the colour of the text. */
const PLAIN_SCOPES = [
  'keyword.operator',
  'punctuation.separator',
  'punctuation.terminator',
  'punctuation.accessor',
  'meta.template.expression',
  'meta.embedded',
]
const PLAIN_BUT_WORDS = [
  'keyword.operator.new',
  'keyword.operator.expression',
  'keyword.operator.logical.python',
  'keyword.operator.word',
]

// A theme of numbers: each kind is encoded as a colour that is never shown.
const KINDS = new Map<string, TokenKind>()
const settings: { scope?: string[]; settings: { foreground: string } }[] = [{ settings: { foreground: '#000000' } }]
for (const [at, [kind, scope]] of Object.entries(SCOPES).entries()) {
  const foreground = `#00000${at + 1}`
  // The names of the table are the kinds; Object.entries forgets it.
  KINDS.set(foreground, kind as TokenKind)
  settings.push({ scope: [...scope, ...(kind === 'keyword' ? PLAIN_BUT_WORDS : [])], settings: { foreground } })
}
settings.push({ scope: PLAIN_SCOPES, settings: { foreground: '#000000' } })
const theme: ThemeRegistration = { name: 'capstan', type: 'light', fg: '#000000', bg: '#ffffff', settings }

const cache = new Map<string, RegExp | Error>()
const engine = createJavaScriptRegexEngine({ forgiving: true, cache })
const shiki = createShikiPrimitive({ themes: [theme], langs: [], engine })

/** Rules of a grammar, wherever in it they are. Ends that repeat what a beginning matched are known only then. */
function* patternsOf(node: unknown): Generator<string, undefined> {
  if (typeof node !== 'object' || node === null) return
  for (const [name, value] of Object.entries(node)) {
    if (typeof value !== 'string') yield* patternsOf(value)
    else if (/^(?:match|begin|while|end)$/.test(name) && !/\\[1-9AGz]/.test(value)) yield value
  }
}

/**
 * Translates the rules of a grammar before they are needed, one in each step: all of them at once would hold a page up for a
 * third of a second. Then has each match nothing twice: a browser compiles an expression when it is first used, and once more,
 * better, the second time, so that the first lines of a language would take tens of milliseconds each.
 */
function* preparation(grammars: readonly object[]): Generator<undefined, undefined> {
  for (const pattern of patternsOf(grammars)) {
    if (!cache.has(pattern)) cache.set(pattern, translated(pattern))
    const expression = cache.get(pattern)
    for (let times = 0; times < 2 && expression instanceof RegExp; times++) {
      yield
      expression.exec('')
    }
    yield
  }
}

function translated(pattern: string): RegExp | Error {
  try {
    return defaultJavaScriptRegexConstructor(pattern)
  } catch (reason) {
    return reason instanceof Error ? reason : new Error('No such pattern in JavaScript.')
  }
}

/**
 * Reads the language of the last of these grammars, with shiki's own and JavaScript's regular expressions: no WebAssembly,
 * which a strict Content-Security-Policy forbids.
 */
export function createShikiTokenizer(grammars: readonly object[]): LineTokenizer {
  // The modules of shiki/langs hold such lists, and a host's own are documented to.
  const languages = grammars as readonly LanguageRegistration[]
  shiki.loadLanguageSync(...languages)
  const name = languages.at(-1)?.name
  if (name === undefined) throw new Error('No grammar was loaded.')
  const grammar = shiki.getLanguage(name)
  const kinds = shiki.setTheme('capstan').colorMap.map((colour) => KINDS.get(colour))
  const steps = preparation(languages)
  return {
    prepare: () => steps.next().done !== true,
    tokenize(line, state) {
      // Only what this function gave comes back as a state.
      const {
        tokens: pairs,
        ruleStack,
        stoppedEarly,
      } = grammar.tokenizeLine2(line, (state ?? null) as Parameters<typeof grammar.tokenizeLine2>[1], MAX_LINE_MS)
      if (stoppedEarly) return undefined
      const tokens: { text: string; kind: Token['kind'] }[] = []
      for (let at = 0; at < pairs.length; at += 2) {
        const text = line.slice(pairs[at], pairs[at + 2])
        const last = tokens.at(-1)
        // Blanks have no colour: they go with what is before them.
        const kind = text.trim() === '' && last ? last.kind : kinds[colourOf(pairs[at + 1] ?? 0)]
        if (last && last.kind === kind) last.text += text
        else if (text !== '') tokens.push({ text, kind })
      }
      return { tokens, state: ruleStack }
    },
  }
}
