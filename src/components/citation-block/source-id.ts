/** The element id of a source in its message's list: where marks point. */
export function sourceElementId(prefix: string, number: number): string {
  return `${prefix}source-${number}`
}
