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

/** Uses it, at once where it is here; gives the way to stop. Where it cannot be had, the browser lays them out as it does. */
export function withLayout(use: (layout: LongBlockLayout) => (() => void) | void): () => void {
  let stop: (() => void) | void
  let isOver = false
  if (loaded) stop = use(loaded)
  else
    loadLongBlockLayout().then(
      (layout) => {
        if (!isOver) stop = use(layout)
      },
      () => {},
    )
  return () => {
    isOver = true
    stop?.()
  }
}
