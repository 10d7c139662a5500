import type { ReactNode } from 'react'
import { memo, useContext, useEffect, useLayoutEffect, useRef } from 'react'
import type { Chunk, Table, TableRow } from '../tree.ts'
import { Segments } from './inline-view.tsx'
import { MarkdownContext } from './markdown-context.ts'

/** From so many pieces of 32 rows on the columns stay as wide as they are: measuring every cell for every new one takes a browser longer than a frame. */
const MANY_CHUNKS = 6

const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** A table in a frame that scrolls. Its frame stands when the header is there; rows come one by one. */
export function TableView({ table, tail }: { readonly table: Table; readonly tail?: ReactNode }): ReactNode {
  const { renderers, words } = useContext(MarkdownContext)
  const { table: Own } = renderers
  const element = useRef<HTMLTableElement>(null)
  const many = table.rows.length > MANY_CHUNKS
  useBrowserLayoutEffect(() => {
    if (many && element.current) fixColumns(element.current)
  }, [many])
  const rows = (
    <table ref={element}>
      <thead>
        <Row row={table.head} align={table.align} head tail={table.rows.length === 0 ? tail : undefined} />
      </thead>
      <tbody>
        {table.rows.map((chunk, at) => (
          <RowChunk key={chunk.key} chunk={chunk} align={table.align} tail={at === table.rows.length - 1 ? tail : undefined} />
        ))}
      </tbody>
    </table>
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

interface RowChunkProps {
  readonly chunk: Chunk<TableRow>
  readonly align: Table['align']
  readonly tail: ReactNode
}

const RowChunk = memo(function RowChunk({ chunk, align, tail }: RowChunkProps): ReactNode {
  return chunk.items.map((row, at) => <Row key={row.key} row={row} align={align} tail={at === chunk.items.length - 1 ? tail : undefined} />)
})

interface RowProps {
  readonly row: TableRow
  readonly align: Table['align']
  readonly head?: boolean
  readonly tail?: ReactNode
}

const Row = memo(function Row({ row, align, head = false, tail }: RowProps): ReactNode {
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
