import type { Citation } from '../../src/seam/agent-event.ts'

/** More sources than are below an answer. */
export const MANY_SOURCES: readonly Citation[] = Array.from({ length: 14 }, (_, at) => ({
  sourceId: `report-${at + 1}`,
  uri: `https://station-${at + 1}.example.org/reports/${at + 1}`,
  title: `Field station report ${at + 1}`,
  snippet: 'Radius of curvature settles at two to three widths once a bend has matured.',
  ...(at % 3 !== 2 && { confidence: 0.95 - at * 0.05 }),
}))

/** Titles no one should write: endless, right to left, turned around by control characters, empty. */
export const HOSTILE_SOURCES: readonly Citation[] = [
  {
    sourceId: 'long',
    uri: 'https://example.org/long',
    title: 'Meander'.repeat(40),
    snippet: 'ox-bow '.repeat(80),
    confidence: 0.5,
  },
  {
    sourceId: 'arabic',
    uri: 'https://example.org/arabic',
    title: 'لماذا تتعرج الأنهار؟',
    snippet: 'لا توجد ضفة مستوية تماما.',
    confidence: 0.8,
  },
  {
    sourceId: 'turned',
    uri: 'https://example.org/turned',
    title: 'report\u202Efdp.exe',
    snippet: '\u202Edne eht morf daer',
    confidence: 0.7,
  },
  { sourceId: 'empty', uri: 'https://www.example.net/no-title', title: '', confidence: 0.6 },
  { sourceId: 'nameless', uri: '', title: ' ' },
  { sourceId: 'markup', uri: 'https://example.org/markup', title: '<img src=x onerror=alert(1)> **bold** [1]' },
]
