import { noop } from '../../base/noop.ts'
import type { copyColumns, joinLines, keepColumnsFixed, keepJoined } from './long-block-layout.ts'

interface LongBlockLayout {
  readonly copyColumns: typeof copyColumns
  readonly joinLines: typeof joinLines
  readonly keepColumnsFixed: typeof keepColumnsFixed
  readonly keepJoined: typeof keepJoined
}

let loaded: LongBlockLayout | undefined

/** Loads what lays out paragraphs and tables that are so long that the browser could not keep up with them. */
export async function loadLongBlockLayout(): Promise<LongBlockLayout> {
  return (loaded ??= await import('./long-block-layout.ts'))
}

/** Lays out, at once where the code is here; gives the way to stop. Where it cannot be had, the browser does as it does. */
export function withLayout(layOut: (code: LongBlockLayout) => (() => void) | void): () => void {
  let stop: (() => void) | void
  let isOver = false
  const begin = (code: LongBlockLayout): void => {
    if (!isOver) stop = layOut(code)
  }
  if (loaded) begin(loaded)
  else loadLongBlockLayout().then(begin, noop)
  return () => {
    isOver = true
    stop?.()
  }
}
