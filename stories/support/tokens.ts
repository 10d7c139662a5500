/** A custom property of the style sheet. */
export interface Token {
  readonly name: string
  readonly value: string
  /** What the style sheet notes next to it. */
  readonly note: string
}

export interface TokenGroup {
  readonly title: string
  readonly tokens: readonly Token[]
}

const SCOPE = /:where\(:root, :host\)\s*\{([\s\S]*?)\n {2}\}/
const TITLE = /^\s*\/\*\s*(.*?)\s*\*\/\s*$/
const DECLARATION = /(--cs-[\w-]+):\s*([^;]+);/g
const NOTE = /\/\*\s*(.*?)\s*\*\/\s*$/

/** Reads the tokens and their groups out of the sheet that declares them: `src/styles/tokens.css`, as text. */
export function readTokens(sheet: string): readonly TokenGroup[] {
  const groups: { title: string; tokens: Token[] }[] = []
  for (const line of (SCOPE.exec(sheet)?.[1] ?? '').split('\n')) {
    const title = TITLE.exec(line)?.[1]
    if (title !== undefined) groups.push({ title, tokens: [] })
    const note = NOTE.exec(line)?.[1] ?? ''
    for (const [, name = '', value = ''] of line.matchAll(DECLARATION)) {
      if (groups.length === 0) groups.push({ title: '', tokens: [] })
      groups.at(-1)?.tokens.push({ name, value: value.trim(), note })
    }
  }
  return groups
}
