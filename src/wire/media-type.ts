/** One value of a list: commas in quoted strings belong to it. */
const VALUES = /(?:"(?:\\.|[^"\\])*"?|[^,"])+/g
const ESSENCE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/

/**
 * Essence of a `Content-Type` header, in lower case and without parameters: the last valid value of a list counts, as "extract a MIME
 * type" of the Fetch standard has it. Empty when there is none.
 */
export function mediaTypeOf(contentType: string | null | undefined): string {
  let found = ''
  for (const [value] of (contentType ?? '').matchAll(VALUES)) {
    const essence = value.split(';', 1)[0]?.trim().toLowerCase() ?? ''
    if (ESSENCE.test(essence) && essence !== '*/*') found = essence
  }
  return found
}
