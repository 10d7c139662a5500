import type { ReactNode } from 'react'
import { memo } from 'react'
import type { Block, Chunk, Chunks, Heading, List, ListItem } from '../tree/tree.ts'
import { CodeView, LineChunks } from './code-view.tsx'
import { Segments } from './inline-view.tsx'
import type { TailProps } from './pieces.tsx'
import { Pieces } from './pieces.tsx'
import { TableView } from './table-view.tsx'
import { TaskBox } from './task-box.tsx'

interface BlocksProps extends TailProps {
  readonly chunks: Chunks<Block>
  /** They are a whole message, which may be long. */
  readonly boxed?: boolean | undefined
}

export function Blocks({ chunks, boxed, tail }: BlocksProps): ReactNode {
  return <Pieces chunks={chunks} piece={BlockChunk} boxed={boxed} tail={tail} />
}

const BlockChunk = memo(function BlockChunk({ chunk, tail }: TailProps & { readonly chunk: Chunk<Block> }): ReactNode {
  return chunk.items.map((block, at) => <BlockNode key={block.key} block={block} tail={at === chunk.items.length - 1 ? tail : undefined} />)
})

const BlockNode = memo(function BlockNode({ block, tail }: TailProps & { readonly block: Block }): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Segments segments={block.segments} />
          {tail}
        </p>
      )
    case 'heading':
      return <HeadingView heading={block} tail={tail} />
    case 'code':
      return <CodeView code={block} tail={tail} />
    case 'html':
      return (
        <p data-html="" dir="auto">
          <LineChunks chunks={block.lines} />
          {tail}
        </p>
      )
    case 'thematic-break':
      return <hr />
    case 'quote':
      return (
        <blockquote>
          <Blocks chunks={block.children} tail={tail} />
        </blockquote>
      )
    case 'list':
      return <ListView list={block} tail={tail} />
    case 'table':
      return <TableView table={block} tail={tail} />
  }
})

const HEADINGS = ['h2', 'h2', 'h3', 'h4', 'h5', 'h6'] as const

/** The first level is the page's own. */
function HeadingView({ heading, tail }: TailProps & { readonly heading: Heading }): ReactNode {
  const Tag = HEADINGS[heading.level - 1] ?? 'h6'
  return (
    <Tag dir="auto">
      <Segments segments={heading.segments} />
      {tail}
    </Tag>
  )
}

/** Whether a list is tight is a word on it, never another tree: it may change while the list grows, and nothing in it is made anew. */
function ListView({ list, tail }: TailProps & { readonly list: List }): ReactNode {
  const Tag = list.ordered ? 'ol' : 'ul'
  return (
    <Tag start={list.ordered && list.start !== 1 ? list.start : undefined} data-tight={list.tight ? '' : undefined}>
      <Pieces chunks={list.items} piece={ItemChunk} tail={tail} />
    </Tag>
  )
}

const ItemChunk = memo(function ItemChunk({ chunk, tail }: TailProps & { readonly chunk: Chunk<ListItem> }): ReactNode {
  return chunk.items.map((item, at) => <Item key={item.key} item={item} tail={at === chunk.items.length - 1 ? tail : undefined} />)
})

const Item = memo(function Item({ item, tail }: TailProps & { readonly item: ListItem }): ReactNode {
  return (
    <li data-task={item.task}>
      {item.task && <TaskBox task={item.task} />}
      <Blocks chunks={item.children} tail={tail} />
      {item.children.length === 0 && tail}
    </li>
  )
})
