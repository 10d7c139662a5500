import type { ReactNode } from 'react'
import { createContext, memo, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import type { Chunk, Table, TableRow } from '../tree/tree.ts'
import { Segments } from './inline-view.tsx'
import { MarkdownContext } from './markdown-context.ts'
import type { TailProps } from './pieces.tsx'
import { Pieces } from './pieces.tsx'

/** How the columns of the table around are aligned: the parser keeps it the same object. */
const AlignContext = createContext<Table['align']>([])

/** From so many pieces of 16 rows on the columns stay as wide as they are: measuring every cell for every new one takes a browser longer than a frame. */
const MANY_CHUNKS = 12

const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** A table in a frame that scrolls. Its frame stands when the header is there; rows come one by one. */
export function TableView({ table, tail }: TailProps & { readonly table: Table }): ReactNode {
  const { renderers, words } = useContext(MarkdownContext)
  const { table: Own } = renderers
  const element = useRef<HTMLTableElement>(null)
  const many = table.rows.length > MANY_CHUNKS
  useBrowserLayoutEffect(() => {
    if (many && element.current) fixColumns(element.current)
  }, [many])
  const rows = (
    <AlignContext.Provider value={table.align}>
      <table ref={element}>
        <thead>
          <Row row={table.head} head tail={table.rows.length === 0 ? tail : undefined} />
        </thead>
        <tbody>
          <Pieces chunks={table.rows} piece={RowChunk} tail={tail} />
        </tbody>
      </table>
    </AlignContext.Provider>
  )
  if (Own) return <Own>{rows}</Own>
  return (
    // A frame that scrolls must be within reach of the keyboard.
    <div className="cs-table" role="region" aria-label={words.table} tabIndex={0}>
      {rows}
    </div>
  )
}

function fixColumns(table: HTMLTableElement): void {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])]
  const widths = heads.map((head) => head.getBoundingClientRect().width)
  for (const [column, head] of heads.entries()) head.style.inlineSize = `${widths[column]}px`
  table.dataset['fixed'] = ''
}

const RowChunk = memo(function RowChunk({ chunk, tail }: TailProps & { readonly chunk: Chunk<TableRow> }): ReactNode {
  return chunk.items.map((row, at) => <Row key={row.key} row={row} tail={at === chunk.items.length - 1 ? tail : undefined} />)
})

interface RowProps extends TailProps {
  readonly row: TableRow
  readonly head?: boolean
}

const Row = memo(function Row({ row, head = false, tail }: RowProps): ReactNode {
  const align = useContext(AlignContext)
  const Cell = head ? 'th' : 'td'
  return (
    <tr>
      {row.cells.map(({ segments }, column) => (
        // A cell is its column.
        // oxlint-disable-next-line react/no-array-index-key
        <Cell key={column} scope={head ? 'col' : undefined} data-align={align[column]} dir="auto">
          <Segments segments={segments} />
          {column === row.cells.length - 1 && tail}
        </Cell>
      ))}
    </tr>
  )
})
