const LONGEST = 20_000

/** A value as indented JSON, cut at a length a page can carry. Never throws. */
export function jsonText(value: unknown): string {
  if (typeof value === 'string') return cut(value)
  try {
    return cut(JSON.stringify(value, null, 2) ?? String(value))
  } catch {
    return String(value)
  }
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
