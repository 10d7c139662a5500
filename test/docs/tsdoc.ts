/** What holds when an optional property is left out. */
export type WhenAbsent =
  | { readonly kind: 'default'; readonly text: string }
  /** Nothing takes its place: what happens then. */
  | { readonly kind: 'nothing'; readonly text: string }

/** A doc comment, in parts. */
export interface TsDoc {
  readonly summary: string
  readonly whenAbsent: readonly WhenAbsent[]
  /** The code of each `@example`, without its fence. */
  readonly examples: readonly { readonly language: string; readonly code: string }[]
}

const ABSENT = /\bAbsent: (.+?)\.(?=\s|$)/g

/** Reads the comment from its two stars to its end. */
export function readTsDoc(comment: string): TsDoc {
  const text = comment
    .replace(/^\/\*\*[ \t]*/, '')
    .replace(/\s*\*\/$/, '')
    .replaceAll(/^[ \t]*\*[ \t]?/gm, '')
  const [summary = '', ...tags] = text.split(/(?:^|\s)@(?=(?:default|example|param|returns|throws|deprecated)\b)/)
  const words = oneLine(summary)
  return {
    summary: words,
    whenAbsent: [
      ...[...words.matchAll(ABSENT)].map(([, what = '']) => ({ kind: 'nothing' as const, text: what })),
      ...bodiesOf('default', tags).map((body) => ({ kind: 'default' as const, text: oneLine(body) })),
    ],
    examples: bodiesOf('example', tags).map((body) => {
      const [, language = '', code = ''] = /```(\w*)\n([\s\S]*?)```/.exec(body) ?? []
      return { language, code }
    }),
  }
}

function bodiesOf(name: string, tags: readonly string[]): string[] {
  return tags.flatMap((tag) => (new RegExp(`^${name}\\b`).test(tag) ? [tag.slice(name.length)] : []))
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}
