import { screen } from '@testing-library/react'
import type { Citation } from '../../../src/seam/agent-event.ts'
import type { MessagePart } from '../../../src/state/turn.ts'

export const river: Citation = {
  sourceId: 'r',
  uri: 'https://www.rivers.example/a',
  title: 'Rivers',
  snippet: 'They bend.',
  confidence: 0.84,
}
export const oxbow: Citation = { sourceId: 'o', uri: 'https://lakes.example/o', title: 'Oxbow lakes' }
export const numbered = (count: number): readonly Citation[] =>
  Array.from({ length: count }, (_, at) => ({ ...river, sourceId: `s${at + 1}`, title: `Source title ${at + 1}` }))
export const sources = (id: string, ...citations: readonly Citation[]): MessagePart => ({
  type: 'citations',
  id,
  citations,
})
export const marks = (): HTMLElement[] => screen.queryAllByRole('button', { name: /^Source \d+: / })
