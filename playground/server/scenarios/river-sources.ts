/** What the sample pages say, as sources of an answer; see RIVER_PAGE. */
const SOURCES = [
  { source_id: 'how-a-bend-begins', title: 'How a bend begins', snippet: 'Where the current brushes one side a little harder, that bank wears back.', confidence: 0.92 },
  { source_id: 'inside-and-outside', title: 'Inside and outside', snippet: 'Fast water digs at the outside of a bend; slow water on the inside lets its sand fall.', confidence: 0.88 },
  { source_id: 'oxbow-lakes', title: 'Oxbow lakes', snippet: 'When two loops nearly touch, high water breaks through the neck.', confidence: 0.81 },
]

/** The sources with addresses on this server, each of which opens. */
export function riverSources(origin: string): readonly ((typeof SOURCES)[number] & { readonly uri: string })[] {
  const page = new URL('/docs/samples/rivers', origin).href
  return SOURCES.map((source) => ({ ...source, uri: `${page}#${source.source_id}` }))
}
