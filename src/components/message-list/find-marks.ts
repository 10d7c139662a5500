/** A thing on the page, and how far below the upper edge of the view it begins. */
export interface Mark {
  readonly element: Element
  readonly top: number
}

function firstInView(parent: Element, edge: number): Mark | undefined {
  for (const element of parent.children) {
    const { top, bottom, height } = element.getBoundingClientRect()
    if (height > 0 && bottom > edge && element.className !== 'cs-spacer') return { element, top: top - edge }
  }
  return undefined
}

/**
 * What the reader has before their eyes at `edge`, from the whole message down to the first thing that begins in view:
 * when the innermost element is removed, the element around it still marks the position.
 */
export function findMarks(log: Element, edge: number, depth: number): readonly Mark[] {
  const marks: Mark[] = []
  let mark = firstInView(log, edge)
  while (mark && mark.top < depth) {
    marks.push(mark)
    if (mark.top >= 0) break
    mark = firstInView(mark.element, edge)
  }
  return marks
}
