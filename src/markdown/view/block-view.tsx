import type { ReactNode, Ref } from 'react'
import { memo, useContext } from 'react'
import type { Block, Chunk, Chunks, Heading, List, ListItem } from '../tree/tree.ts'
import { CodeView, LineChunks } from './code-view.tsx'
import { directionOf, ownDirection } from './direction-of.ts'
import { Segments } from './inline-view.tsx'
import { ItemGroup, itemRole, listRole } from './item-group.tsx'
import { MarkdownContext } from './markdown-context.ts'
import { ParagraphView } from './paragraph-view.tsx'
import type { GroupProps, PiecesProps, TailProps } from './pieces.tsx'
import { GROUP, Pieces } from './pieces.tsx'
import { TableView } from './table-view.tsx'
import { TaskBox } from './task-box.tsx'
import { useRenewal } from './foreign-changes/use-renewal.ts'

interface BlocksProps extends TailProps {
  readonly chunks: Chunks<Block>
  /** They are a whole message, which may be long. */
  readonly group?: PiecesProps<Block>['group']
}

export function Blocks({ chunks, group, tail }: BlocksProps): ReactNode {
  return <Pieces chunks={chunks} piece={BlockChunk} group={group} tail={tail} />
}

const BlockChunk = memo(function BlockChunk({ chunk, tail }: TailProps & { readonly chunk: Chunk<Block> }): ReactNode {
  return chunk.items.map((block, at) => (
    <BlockNode key={block.key} block={block} tail={at === chunk.items.length - 1 ? tail : undefined} />
  ))
})

const BlockNode = memo(function BlockNode({ block, tail }: TailProps & { readonly block: Block }): ReactNode {
  // Renderers and strings change the text of a block.
  useContext(MarkdownContext)
  const [key, element] = useRenewal<HTMLParagraphElement & HTMLHeadingElement>()
  switch (block.type) {
    case 'paragraph':
      return <ParagraphView key={key} element={element} paragraph={block} tail={tail} />
    case 'heading':
      return <HeadingView key={key} element={element} heading={block} tail={tail} />
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
        <blockquote dir={directionOf(block)}>
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

interface HeadingProps extends TailProps {
  readonly heading: Heading
  readonly element: Ref<HTMLHeadingElement>
}

/** The first level is the page's own. */
function HeadingView({ heading, element, tail }: HeadingProps): ReactNode {
  const Tag = HEADINGS[heading.level - 1] ?? 'h6'
  return (
    <Tag ref={element} dir={ownDirection(heading)}>
      <Segments segments={heading.segments} />
      {tail}
    </Tag>
  )
}

/**
 * Whether a list is tight is an attribute and does not change the element tree: it can change while the list grows, and
 * no element is created again.
 */
function ListView({ list, tail }: TailProps & { readonly list: List }): ReactNode {
  const Tag = list.ordered ? 'ol' : 'ul'
  return (
    <Tag
      role={listRole(list.items.length > GROUP)}
      start={list.ordered && list.start !== 1 ? list.start : undefined}
      data-tight={list.tight ? '' : undefined}
      dir={directionOf(list)}
    >
      <Pieces chunks={list.items} piece={ItemChunk} group={ItemGroup} tail={tail} />
    </Tag>
  )
}

interface ItemChunkProps extends TailProps, GroupProps {
  readonly chunk: Chunk<ListItem>
}

const ItemChunk = memo(function ItemChunk({ chunk, apart, tail }: ItemChunkProps): ReactNode {
  return chunk.items.map((item, at) => (
    <Item key={item.key} item={item} apart={apart} tail={at === chunk.items.length - 1 ? tail : undefined} />
  ))
})

interface ItemProps extends TailProps, GroupProps {
  readonly item: ListItem
}

const Item = memo(function Item({ item, apart, tail }: ItemProps): ReactNode {
  return (
    <li role={itemRole(apart)} data-task={item.task}>
      {item.task && <TaskBox task={item.task} />}
      <Blocks chunks={item.children} tail={tail} />
      {item.children.length === 0 && tail}
    </li>
  )
})
