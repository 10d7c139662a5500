const LONGEST = 20_000

/** A value as JSON a page can carry: indented while that stays readable, cut at 20,000 characters. Never throws. */
export function jsonText(value: unknown): { readonly text: string; /** Characters left out. */ readonly rest: number } {
  let text = typeof value === 'string' ? value : stringify(value)
  if (typeof value !== 'string' && text.length <= LONGEST) {
    const indented = stringify(value, 2)
    // Deeply nested, it would be mostly indentation.
    if (indented.length <= LONGEST) text = indented
  }
  return { text: text.slice(0, LONGEST), rest: Math.max(0, text.length - LONGEST) }
}

/** One value as one line of at most 1,000 characters; nothing for what is not there. */
export function cellText(value: unknown): string {
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : stringify(value)
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text
}

function stringify(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? String(value)
  } catch {
    // It refers to itself, is nested beyond what the engine can follow, or is not JSON at all.
    return '…'
  }
}
