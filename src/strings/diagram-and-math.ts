/** The words around diagrams. */
export interface DiagramStrings {
  /** The name of the picture, for assistive technology. */
  readonly diagram: string
  /** The button that shows the source. */
  readonly showSource: string
  /** The button that shows the picture again. */
  readonly showPicture: string
  /** The source is not a diagram. */
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

/** The words around formulas. */
export interface MathStrings {
  /** What a formula on its own line is, for assistive technology. */
  readonly formula: string
  /** What one is that cannot be shown, for assistive technology: its source is there instead. */
  readonly failed: string
  /** Why it cannot be shown, where it is longer than formulas may be, for assistive technology. */
  readonly tooLong: string
}

export const englishMath: MathStrings = {
  formula: 'Formula',
  failed: 'Formula that could not be shown',
  tooLong: 'It is too long.',
}
