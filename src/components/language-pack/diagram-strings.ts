import { usePack } from './use-pack.ts'

/** The words around diagrams. */
export interface DiagramStrings {
  /** The name of the picture, for assistive technology. */
  readonly diagram: string
  /** The button that shows the source. */
  readonly showSource: string
  /** The button that shows the picture again. */
  readonly showPicture: string
  /** The source is no diagram. */
  readonly invalid: string
  /** It could not be drawn for another reason: nothing answered in time, or it is too long. */
  readonly unavailable: string
}

export const englishDiagram: DiagramStrings = {
  diagram: 'Diagram',
  showSource: 'Show source',
  showPicture: 'Show diagram',
  invalid: 'This diagram has an error, so its source is shown.',
  unavailable: 'This diagram could not be drawn, so its source is shown.',
}

/** The words given, or those of the dictionary's language; in English where it has none. Undefined while they are fetched. */
export function useDiagramStrings(given: DiagramStrings | undefined): DiagramStrings | undefined {
  return usePack('diagram', englishDiagram, given)
}
