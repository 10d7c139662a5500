import type { ComponentType, ReactNode } from 'react'
import { memo } from 'react'
import type { Chunk, Chunks } from '../tree/tree.ts'

export interface TailProps {
  /** What stands after the last letter of it: the caret. Absent everywhere but at the end of an answer that grows. */
  readonly tail?: ReactNode
}

interface PiecesProps<Item> extends TailProps {
  readonly chunks: Chunks<Item>
  readonly piece: ComponentType<TailProps & { readonly chunk: Chunk<Item> }>
  /** Each group is an element of its own, so that a browser lays out the last one and not all that stands above it. */
  readonly boxed?: boolean | undefined
}

/** How many chunks stand together. */
const GROUP = 8

/** Chunks in groups: one more block of thousands renders one group, in it one chunk, and in that one block. */
export function Pieces<Item>({ chunks, piece, boxed = false, tail }: PiecesProps<Item>): ReactNode {
  const groups: ReactNode[] = []
  for (let at = 0; at < chunks.length; at += GROUP) {
    const last = at + GROUP >= chunks.length
    groups.push(<Group key={chunks[at]?.key} chunks={chunks.slice(at, at + GROUP)} piece={piece} boxed={boxed} tail={last ? tail : undefined} />)
  }
  return groups
}

const Group = memo(function Group({ chunks, piece: Piece, boxed, tail }: PiecesProps<never>): ReactNode {
  const pieces = chunks.map((chunk, at) => <Piece key={chunk.key} chunk={chunk} tail={at === chunks.length - 1 ? tail : undefined} />)
  return boxed ? <div className="cs-md-run">{pieces}</div> : pieces
  // `memo` drops type parameters; Pieces has seen to it that its piece fits its chunks.
}, isSame) as unknown as <Item>(props: PiecesProps<Item>) => ReactNode

function isSame(before: PiecesProps<never>, now: PiecesProps<never>): boolean {
  return before.tail === now.tail && before.chunks.length === now.chunks.length && before.chunks.every((chunk, at) => chunk === now.chunks[at])
}
