import { type ReactNode, type Ref, memo, useContext, type RefObject, useState } from 'react'
import type { Block, Chunk, Chunks, Heading, List, ListItem, InlineSegment, Paragraph } from '../tree/tree.ts'
import { CodeView, LineChunks } from './code-view.tsx'
import { directionOf, ownDirection } from './direction-of.ts'
import { Segments } from './inline-view.tsx'
import { ItemGroup, itemRole, listRole } from './item-group.tsx'
import { MarkdownContext } from './markdown-context.ts'
import { type GroupProps, type PiecesProps, type TailProps, GROUP, Pieces } from './pieces.tsx'
import { TableView } from './table-view.tsx'
import { useRenewal } from './foreign-changes/use-renewal.ts'
import { withLayout } from './long-blocks/load-long-block-layout.ts'
import { createTextStretches } from './text-stretches.ts'
import { useBrowserLayoutEffect } from './foreign-changes/use-browser-layout-effect.ts'

interface ParagraphProps extends TailProps {
  readonly paragraph: Paragraph
  readonly element: RefObject<HTMLParagraphElement | null>
}

/**
 * A paragraph. Of a very long one that grows each further stretch is a box of its own, because a browser looks at every piece of a
 * line box for each new word; its first line is drawn over the last line of the stretch before. The elements stay when the paragraph
 * has ended, and are then running text again.
 */
function ParagraphView({ paragraph, element, tail }: ParagraphProps): ReactNode {
  const [stretches] = useState(createTextStretches)
  const [first = [], ...further] = stretches(paragraph.segments)
  const grows = Boolean(tail) && further.length > 0
  useBrowserLayoutEffect(() => {
    const last = element.current?.lastElementChild
    // The last element is a stretch then.
    return grows && last ? withLayout(({ joinLines }) => joinLines(last as HTMLElement)) : undefined
  }, [element, grows, further.length])
  useBrowserLayoutEffect(() => {
    const paragraph = element.current
    return grows && paragraph ? withLayout(({ keepJoined }) => keepJoined(paragraph)) : undefined
  }, [element, grows])
  return (
    <p ref={element} dir={ownDirection(paragraph)} data-grows={grows ? '' : undefined}>
      <Words segments={first} ended={further.length > 0} />
      {further.map((segments, at) => (
        <Stretch
          key={segments[0]?.key}
          segments={segments}
          ended={at < further.length - 1}
          tail={at === further.length - 1 ? tail : undefined}
        />
      ))}
      {further.length === 0 && tail}
    </p>
  )
}

interface StretchProps extends TailProps {
  readonly segments: readonly InlineSegment[]
  /** Another stretch follows. */
  readonly ended: boolean
}

const Stretch = memo(function Stretch({ tail, ...words }: StretchProps): ReactNode {
  return (
    <span className="cs-md-stretch">
      <Words {...words} />
      {tail}
    </span>
  )
}, sameWords)

/** The blank at the end of a stretch is apart, so that it can be kept where a browser drops those at the ends of lines. */
const Words = memo(function Words({ segments, ended }: Omit<StretchProps, 'tail'>): ReactNode {
  const last = segments.at(-1)
  const words = last?.children.at(-1)
  const trimmed = ended &&
    last &&
    words?.type === 'text' && {
      ...last,
      children: [...last.children.slice(0, -1), { ...words, text: words.text.slice(0, -1) }],
    }
  return (
    <>
      <Segments segments={trimmed ? [...segments.slice(0, -1), trimmed] : segments} />
      {trimmed && <span className="cs-md-blank"> </span>}
    </>
  )
}, sameWords)

function sameWords(before: StretchProps, now: StretchProps): boolean {
  return (
    before.tail === now.tail &&
    before.ended === now.ended &&
    (before.segments === now.segments ||
      (before.segments.length === now.segments.length &&
        before.segments.every((segment, at) => segment === now.segments[at])))
  )
}

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

/** Whether a task is done. A picture and no control: the message is the agent's. */
function TaskBox({ task }: { readonly task: 'open' | 'done' }): ReactNode {
  const { strings } = useContext(MarkdownContext)
  return (
    <svg
      className="cs-md-task"
      viewBox="0 0 20 20"
      width={16}
      height={16}
      fill="none"
      stroke="currentColor"
      role="img"
      aria-label={task === 'done' ? strings.taskDone : strings.taskOpen}
    >
      <path
        d={
          task === 'done'
            ? 'M6 3.5h8A2.5 2.5 0 0 1 16.5 6v8a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 14V6A2.5 2.5 0 0 1 6 3.5zM6.5 10.25l2.5 2.5 4.75-5.5'
            : 'M6 3.5h8A2.5 2.5 0 0 1 16.5 6v8a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 14V6A2.5 2.5 0 0 1 6 3.5z'
        }
      />
    </svg>
  )
}
