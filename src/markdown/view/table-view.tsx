import type { ReactNode } from 'react'
import { createContext, memo, useContext, useRef } from 'react'
import type { Chunk, Table, TableRow } from '../tree/tree.ts'
import { directionOf, ownDirection } from './direction-of.ts'
import { Segments } from './inline-view.tsx'
import { MarkdownContext } from './markdown-context.ts'
import { withLayout } from './long-blocks/load-long-block-layout.ts'
import type { TailProps } from './pieces.tsx'
import { Pieces } from './pieces.tsx'
import { useBrowserLayoutEffect } from './foreign-changes/use-browser-layout-effect.ts'
import { useRenewal } from './foreign-changes/use-renewal.ts'

/** How the columns of the table around are aligned: the parser keeps it the same object. */
const AlignContext = createContext<Table['align']>([])

/** Whether the columns of the table around are fixed. */
const FixedContext = createContext(false)

/**
 * From this many chunks of 16 rows on, the column widths are fixed and each group of rows is a box of its own: laying out
 * every row for each new one takes a browser longer than a frame.
 */
const MANY_CHUNKS = 8

/** A table in a frame that scrolls. The frame is there as soon as the header is; rows come one by one. */
export function TableView({ table, tail }: TailProps & { readonly table: Table }): ReactNode {
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
