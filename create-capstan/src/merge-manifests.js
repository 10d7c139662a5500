/**
 * Merges parts of a package.json: a later part adds to the objects of an earlier one. Dependencies are sorted, as npm does it.
 *
 * @param {readonly Readonly<Record<string, unknown>>[]} parts
 * @returns {Record<string, unknown>}
 */
export function mergeManifests(parts) {
  const merged = {}
  for (const [name, value] of parts.flatMap(Object.entries))
    merged[name] = typeof value === 'object' ? { ...merged[name], ...value } : value
  for (const name of ['dependencies', 'devDependencies'])
    merged[name] = Object.fromEntries(Object.entries(merged[name] ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return merged
}
