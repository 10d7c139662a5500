import {
  type ReactNode,
  type Ref,
  memo,
  useContext,
  type RefObject,
  useState,
  createContext,
  useRef,
  type ComponentType,
} from 'react'
import type {
  Block,
  Chunk,
  Chunks,
  Heading,
  List,
  ListItem,
  InlineSegment,
  Paragraph,
  Table,
  TableRow,
  Code,
  CodeLine,
} from '../inline/tree.ts'
import { directionOf, ownDirection } from './direction-of.ts'
import { Segments } from './inline-view.tsx'
import { MarkdownContext } from './markdown-props.ts'
import { useRenewal } from './use-renewal.ts'
import { withLayout } from './load-long-block-layout.ts'
import { useBrowserLayoutEffect } from './use-browser-layout-effect.ts'
import { linesWithoutMarks, placesIn, showsMarks, withMarks, withoutPlaces } from './places.tsx'
import { showCode } from '../../base/text.ts'

interface ParagraphProps extends TailProps {
  readonly paragraph: Paragraph
  readonly element: RefObject<HTMLParagraphElement | null>
}

/**
 * A paragraph. Of a very long one that grows each further stretch is a separate box, because a browser looks at every piece of a
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

/** How the columns of the table around are aligned: the parser keeps it the same object. */
const AlignContext = createContext<Table['align']>([])

/** Whether the columns of the table around are fixed. */
const FixedContext = createContext(false)

/**
 * From this many chunks of 16 rows on, the column widths are fixed and each group of rows is a separate box: laying out
 * every row for each new one takes a browser longer than a frame.
 */
const MANY_CHUNKS = 8

/** A table in a frame that scrolls. The frame is there as soon as the header is; rows come one by one. */
function TableView({ table, tail }: TailProps & { readonly table: Table }): ReactNode {
  const { renderers, strings } = useContext(MarkdownContext)
  const { table: Own } = renderers
  const element = useRef<HTMLTableElement>(null)
  const many = table.rows.length > MANY_CHUNKS
  const direction = directionOf(table)
  useBrowserLayoutEffect(() => {
    const table = element.current
    return many && table ? withLayout(({ keepColumnsFixed }) => keepColumnsFixed(table)) : undefined
  }, [many])
  const rows = (
    <AlignContext.Provider value={table.align}>
      <FixedContext.Provider value={many}>
        <table ref={element} role={many ? 'table' : undefined} dir={direction}>
          <thead role={many ? 'rowgroup' : undefined}>
            <Row row={table.head} head tail={table.rows.length === 0 ? tail : undefined} />
          </thead>
          <Pieces chunks={table.rows} piece={RowChunk} group={RowGroup} tail={tail} />
        </table>
      </FixedContext.Provider>
    </AlignContext.Provider>
  )
  if (Own) return <Own>{rows}</Own>
  return (
    // A scrollable frame must be focusable by keyboard.
    <div className="cs-table" role="region" aria-label={strings.table} tabIndex={0} dir={direction}>
      {rows}
    </div>
  )
}

function RowGroup({ children }: { readonly children: ReactNode }): ReactNode {
  const fixed = useContext(FixedContext)
  const body = useRef<HTMLTableSectionElement>(null)
  useBrowserLayoutEffect(() => {
    const group = body.current
    return fixed && group ? withLayout(({ copyColumns }) => copyColumns(group)) : undefined
  }, [fixed])
  return (
    <tbody ref={body} role={fixed ? 'rowgroup' : undefined}>
      {children}
    </tbody>
  )
}

const RowChunk = memo(function RowChunk({ chunk, tail }: TailProps & { readonly chunk: Chunk<TableRow> }): ReactNode {
  return chunk.items.map((row, at) => (
    <Row key={row.key} row={row} tail={at === chunk.items.length - 1 ? tail : undefined} />
  ))
})

interface RowProps extends TailProps {
  readonly row: TableRow
  readonly head?: boolean
}

const Row = memo(function Row({ row, head = false, tail }: RowProps): ReactNode {
  const align = useContext(AlignContext)
  // Boxes of another kind than those of a table: some browsers tell what they are by their roles only.
  const fixed = useContext(FixedContext)
  const Cell = head ? 'th' : 'td'
  const role = head ? 'columnheader' : 'cell'
  // Renderers and strings change the text of cells.
  useContext(MarkdownContext)
  const [key, element] = useRenewal<HTMLTableRowElement>()
  return (
    <tr key={key} ref={element} role={fixed ? 'row' : undefined}>
      {row.cells.map((cell, column) => (
        <Cell
          // A cell is its column.
          // oxlint-disable-next-line react/no-array-index-key
          key={column}
          role={fixed ? role : undefined}
          scope={head ? 'col' : undefined}
          data-align={align[column]}
          dir={ownDirection(cell)}
        >
          <Segments segments={cell.segments} />
          {column === row.cells.length - 1 && tail}
        </Cell>
      ))}
    </tr>
  )
})

/** Lines in groups of 16: another line is written into the last text node, and a browser lays out the last group alone. */
export function LineChunks({ chunks }: { readonly chunks: Chunks<CodeLine> }): ReactNode {
  // Only the last group is given the tail, which shows nothing and says that it is the last.
  return <Pieces chunks={chunks} piece={LineChunk} tail />
}

const LineChunk = memo(function LineChunk({ chunk, tail }: TailProps & { readonly chunk: Chunk<CodeLine> }): ReactNode {
  const last = tail === true
  const text = chunk.items.map((line) => line.text).join('\n')
  return <LineGroup last={last}>{withMarks(last ? text : `${text}\n`, showCode)}</LineGroup>
})

/** A group of lines: a separate block as soon as another follows. The last one is inline, for what is after it. */
export function LineGroup({ last, children }: { readonly last: boolean; readonly children: ReactNode }): ReactNode {
  return <span className={last ? undefined : 'cs-md-lines'}>{children}</span>
}

/** The language of a fence: the first word behind it. */
function languageOf(info: string): string | undefined {
  return /^[^\s{]+/.exec(withoutPlaces(info))?.[0].toLowerCase()
}

/** The text of a block of code. */
export function codeBlockText(chunks: Chunks<CodeLine>): string {
  return withoutPlaces(chunks.map(({ items }) => items.map(({ text }) => text).join('\n')).join('\n'))
}

/** Code runs from left to right, whatever the language around it, and scrolls where a line is too long. */
function CodeView({ code, tail }: { readonly code: Code; readonly tail?: ReactNode }): ReactNode {
  const { renderers, strings } = useContext(MarkdownContext)
  const { code: Own, math: Formula } = renderers
  const language = languageOf(code.info)
  if (Formula && language === 'math' && code.closed) {
    return (
      <>
        <Formula text={codeBlockText(code.lines)} display />
        {withMarks(placesIn(code.lines))}
      </>
    )
  }
  if (Own) {
    const within = showsMarks.has(Own)
    return (
      <>
        <Own
          language={language}
          lines={within ? code.lines : linesWithoutMarks(code.lines)}
          closed={code.closed}
          ended={code.closed || code.ended === true}
          tail={tail}
        />
        {!within && withMarks(placesIn(code.lines))}
      </>
    )
  }
  return (
    // A scrollable frame must be focusable by keyboard.
    <pre className="cs-code" dir="ltr" translate="no" tabIndex={0} role="region" aria-label={language ?? strings.code}>
      <code>
        <LineChunks chunks={code.lines} />
        {tail}
      </code>
    </pre>
  )
}

// The first items of a list are in it directly, as they do in nearly all lists. Those of a further group have an element around
// them, so that a browser goes through one group and not through thousands of items for each that comes. The roles say what the
// elements no longer do: some browsers know an item by its parent.

export function ItemGroup({ apart, children }: GroupProps & { readonly children: ReactNode }): ReactNode {
  return apart ? <div className="cs-md-items">{children}</div> : children
}

/** @param grouped it has more than one group */
export function listRole(grouped: boolean): 'list' | undefined {
  return grouped ? 'list' : undefined
}

export function itemRole(apart: boolean): 'listitem' | undefined {
  return apart ? 'listitem' : undefined
}

interface TailProps {
  /** What is after the last letter of it: the caret. Absent everywhere but at the end of an answer that grows. */
  readonly tail?: ReactNode
}

/** Which group of chunks something is in. */
interface GroupProps {
  /** It is not the first group. */
  readonly apart: boolean
}

interface PiecesProps<Item> extends TailProps {
  readonly chunks: Chunks<Item>
  readonly piece: ComponentType<TailProps & GroupProps & { readonly chunk: Chunk<Item> }>
  /** Each group has its own element, so that a browser lays out the last one and not all that is above it. */
  readonly group?: ComponentType<GroupProps & { readonly children: ReactNode }> | undefined
}

/** How many chunks are together. */
const GROUP = 8

/** Chunks in groups: one more block of thousands renders one group, in it one chunk, and in that one block. */
function Pieces<Item>({ chunks, piece, group, tail }: PiecesProps<Item>): ReactNode {
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

/** How long a stretch is at least, in UTF-16 code units. */
const STRETCH = 4096

type Inlines = readonly InlineSegment[]

/** Gives the stretches of a text that grows. Those behind which another has begun stay the same lists, and are not looked at again. */
export function createTextStretches(): (segments: Inlines) => readonly Inlines[] {
  let before: Inlines = []
  let stretches: readonly Inlines[] = []

  return (segments) => {
    let same = 0
    while (same < before.length && segments[same] === before[same]) same += 1
    before = segments
    return (stretches = cutOn(segments, stretches, same))
  }
}

/**
 * Cuts after a blank. Where it cuts depends on what is before, so that no segment changes its stretch while text comes.
 *
 * @param known stretches that are right for the first `same` segments
 */
function cutOn(segments: Inlines, known: readonly Inlines[], same: number): readonly Inlines[] {
  const all: Inlines[] = []
  let at = 0
  for (const stretch of known) {
    // Whether one ends here depends on what is behind it.
    if (at + stretch.length >= same) break
    all.push(stretch)
    at += stretch.length
  }
  let open: InlineSegment[] = []
  for (const segment of segments.slice(at)) {
    const [first] = open
    if (!first || (segment.key - first.key >= STRETCH && endsWithBlank(segments[at - 1]))) all.push((open = []))
    open.push(segment)
    at += 1
  }
  return all
}

function endsWithBlank(segment: InlineSegment | undefined): boolean {
  const last = segment?.children.at(-1)
  return last?.type === 'text' && last.text.endsWith(' ')
}
