/** What the sample pages say, as sources of an answer; see RIVER_PAGE. */
const SOURCES = [
  {
    source_id: 'how-a-bend-begins',
    title: 'How a bend begins',
    snippet: 'Where the current brushes one side a little harder, that bank wears back.',
    confidence: 0.92,
  },
  {
    source_id: 'inside-and-outside',
    title: 'Inside and outside',
    snippet: 'Fast water digs at the outside of a bend; slow water on the inside lets its sand fall.',
    confidence: 0.88,
  },
  {
    source_id: 'oxbow-lakes',
    title: 'Oxbow lakes',
    snippet: 'When two loops nearly touch, high water breaks through the neck.',
    confidence: 0.81,
  },
  {
    source_id: 'sizes',
    title: 'Sizes',
    snippet: 'From one bend to the next is some ten to fourteen times the width of the stream.',
    confidence: 0.9,
  },
  {
    source_id: 'the-neck',
    title: 'The neck',
    snippet: 'The strip of land between two bends grows narrower from both sides.',
    confidence: 0.84,
  },
  { source_id: 'roots', title: 'Roots', snippet: 'Willows and alders hold a bank for years.', confidence: 0.71 },
  {
    source_id: 'straightened-rivers',
    title: 'Straightened rivers',
    snippet: 'A river that was dug straight begins to bend again within a few decades.',
    confidence: 0.77,
  },
  {
    source_id: 'old-maps',
    title: 'Old maps',
    snippet: 'Maps of the seventeen hundreds show bends half a mile from where they are today.',
    confidence: 0.66,
  },
  {
    source_id: 'under-ice',
    title: 'Under ice',
    snippet: 'Channels beneath glaciers meander too, and so does warm water in a cold sea.',
    confidence: 0.58,
  },
]

/** The first so many sources, with addresses on this server, each of which opens. */
export function riverSources(
  origin: string,
  count: number,
): readonly ((typeof SOURCES)[number] & { readonly uri: string })[] {
  const page = new URL('/docs/samples/rivers', origin).href
  return SOURCES.slice(0, count).map((source) => ({ ...source, uri: `${page}#${source.source_id}` }))
}
