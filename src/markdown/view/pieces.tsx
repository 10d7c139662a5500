import type { ComponentType, ReactNode } from 'react'
import { memo } from 'react'
import type { Chunk, Chunks } from '../tree/tree.ts'

export interface TailProps {
  /** What is after the last letter of it: the caret. Absent everywhere but at the end of an answer that grows. */
  readonly tail?: ReactNode
}

/** Which group of chunks something is in. */
export interface GroupProps {
  /** It is not the first group. */
  readonly apart: boolean
}

export interface PiecesProps<Item> extends TailProps {
  readonly chunks: Chunks<Item>
  readonly piece: ComponentType<TailProps & GroupProps & { readonly chunk: Chunk<Item> }>
  /** Each group has an element of its own, so that a browser lays out the last one and not all that is above it. */
  readonly group?: ComponentType<GroupProps & { readonly children: ReactNode }> | undefined
}

/** How many chunks are together. */
export const GROUP = 8

/** Chunks in groups: one more block of thousands renders one group, in it one chunk, and in that one block. */
export function Pieces<Item>({ chunks, piece, group, tail }: PiecesProps<Item>): ReactNode {
  const groups: ReactNode[] = []
  for (let at = 0; at < chunks.length; at += GROUP) {
    const last = at + GROUP >= chunks.length
    groups.push(
      <Group
        key={chunks[at]?.key}
        chunks={chunks.slice(at, at + GROUP)}
        piece={piece}
        group={group}
        apart={at > 0}
        tail={last ? tail : undefined}
      />,
    )
  }
  return groups
}

const Group = memo(function Group({
  chunks,
  piece: Piece,
  group: Box,
  apart,
  tail,
}: PiecesProps<never> & GroupProps): ReactNode {
  const pieces = chunks.map((chunk, at) => (
    <Piece key={chunk.key} chunk={chunk} apart={apart} tail={at === chunks.length - 1 ? tail : undefined} />
  ))
  return Box ? <Box apart={apart}>{pieces}</Box> : pieces
  // `memo` drops type parameters; Pieces has seen to it that its piece fits its chunks.
}, isSame) as unknown as <Item>(props: PiecesProps<Item> & GroupProps) => ReactNode

function isSame(before: PiecesProps<never>, now: PiecesProps<never>): boolean {
  return (
    before.tail === now.tail &&
    before.chunks.length === now.chunks.length &&
    before.chunks.every((chunk, at) => chunk === now.chunks[at])
  )
}
