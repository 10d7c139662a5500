/** The types of presentation event that G1 defines: a client announces them to the agent, and the schema allows them. */
export const PRESENTATION_TYPES = [
  'THOUGHT_TRACE',
  'CITATION_BLOCK',
  'PROGRESS_INDICATOR',
  'MEDIA_CAROUSEL',
  'MARKDOWN_BLOCK',
] as const

export type PresentationType = (typeof PRESENTATION_TYPES)[number]
