'use client'

import {
  type ComponentPropsWithoutRef,
  type MouseEvent,
  type ReactNode,
  forwardRef,
  memo,
  useMemo,
  useState,
} from 'react'
import { capMarks } from '../base/cap-marks.ts'
import type { ViewHint } from '../seam/agent-event.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { type RenderRoot, classNames, Root, type AttributesOf, type PartAttributes } from './internals/part.ts'
import { ShowMore } from './internals/folding.tsx'
import { useScrollPlace } from './internals/use-scroll-place.ts'

/** Data in a shape that can be shown. `columns` has something only in a table; in pairs a row is a key and its value. */
interface DataView {
  readonly type: 'table' | 'list' | 'pairs' | 'json'
  readonly rows: readonly unknown[]
  readonly columns?: readonly Column[]
}

interface Column {
  readonly name: string
  /** Whether the column has at least one value and all its values are numbers. */
  readonly numeric: boolean
}

/** Data with more columns is not shown as a table. */
const MOST_COLUMNS = 100

/** Reads data as the agent asked for it; what does not fit the hint is JSON. */
function viewOf(data: unknown, hint: ViewHint): DataView {
  if (hint === 'TABLE') {
    const { columns: names = namesOf(data), rows = data } = isRecord(data) ? data : {}
    if (Array.isArray(names) && Array.isArray(rows) && names.length > 0 && names.length <= MOST_COLUMNS) {
      return { type: 'table', rows, columns: names.map((name, index) => columnOf(cellText(name), index, rows)) }
    }
  }
  if (hint === 'LIST' && Array.isArray(data)) return { type: 'list', rows: data }
  if (hint === 'KEY_VALUE' && isRecord(data)) return { type: 'pairs', rows: Object.entries(data) }
  return { type: 'json', rows: [] }
}

/** What a row has in a column: by place in a list, by name in an object; anything else is in the first column. */
function cellOf(row: unknown, name: string, index: number): unknown {
  if (Array.isArray(row)) return row[index]
  if (isRecord(row)) return Object.hasOwn(row, name) ? row[name] : undefined
  return index === 0 ? row : undefined
}

function columnOf(name: string, index: number, rows: readonly unknown[]): Column {
  const cells = rows.map((row) => cellOf(row, name, index) ?? undefined)
  return {
    name,
    numeric: cells.some((cell) => cell !== undefined) && cells.every((cell) => typeof (cell ?? 0) === 'number'),
  }
}

function namesOf(data: unknown): readonly string[] {
  return Array.isArray(data) ? [...new Set(data.flatMap((row) => (isRecord(row) ? Object.keys(row) : [])))] : []
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The `data-*` attributes of `DataBlock`. */
export const dataBlockAttributes = {
  root: {
    selector: '.cs-data',
    attributes: {
      'data-view': { values: ['table', 'list', 'pairs', 'json'], meaning: 'How the data is shown' },
    },
  },
  cells: {
    selector: '.cs-table-head, .cs-table-cell',
    internal: true,
    attributes: {
      'data-numeric': { values: 'present', meaning: 'In columns of numbers' },
    },
  },
} as const satisfies PartAttributes

type Attributes = AttributesOf<typeof dataBlockAttributes>

type CellAttributes = AttributesOf<typeof dataBlockAttributes, 'cells'>

export interface DataBlockProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  /** Any JSON value. Text in it stays text: nothing becomes a link or a picture. */
  readonly data: unknown
  /** How the agent would like it shown; data that does not fit is shown as JSON. @default 'JSON' */
  readonly viewHint?: ViewHint | undefined
  /** What the data are: a title above them, and their accessible name. Absent: none. */
  readonly caption?: string | undefined
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly view: DataView['type'] }> | undefined
}

/** Rows shown at first, and how many more at a time. */
const FIRST_ROWS = 50

const MORE_ROWS = 200

/**
 * Renders a `<div>`: data in the shape the agent asked for (table, list, pairs or JSON), whatever their size. The first
 * 50 rows are shown, and the others on request. A table scrolls in itself.
 *
 * @example
 * ```tsx
 * import { DataBlock } from 'capstan/components'
 *
 * const rivers = [{ river: 'Danube', length_km: 2850 }, { river: 'Rhine', length_km: 1233 }]
 * export const Lengths = () => <DataBlock data={rivers} viewHint="TABLE" caption="Lengths of rivers" />
 * ```
 */
export const DataBlock = memo(
  forwardRef<HTMLDivElement, DataBlockProps>(function DataBlock(props, ref): ReactNode {
    const { data, viewHint = 'JSON', caption, render, className, ...rest } = props
    const strings = useDictionary().data
    const [limit, setLimit] = useState(FIRST_ROWS)
    const view = useMemo(() => viewOf(data, viewHint), [data, viewHint])
    const left = view.rows.length - limit

    const showMore = (event: MouseEvent<HTMLElement>): void => {
      setLimit(limit + MORE_ROWS)
      // The button is removed when the last rows are shown, so the focus moves to the data.
      if (left <= MORE_ROWS) event.currentTarget.closest<HTMLElement>('.cs-data')?.focus()
    }
    const children = (
      <>
        {caption && <p className="cs-meta">{caption}</p>}
        <View view={view} data={data} limit={limit} caption={caption ?? strings.label} />
        {left > 0 && <ShowMore left={left} onShow={showMore} />}
      </>
    )
    return (
      <Root
        tag="div"
        render={render}
        root={{
          tabIndex: -1,
          ...rest,
          className: classNames('cs-part cs-data', className),
          'data-view': view.type satisfies Attributes['data-view'],
          children,
        }}
        state={{ view: view.type }}
        rootRef={ref}
      />
    )
  }),
)

interface ViewProps {
  readonly view: DataView
  readonly data: unknown
  readonly limit: number
  readonly caption: string
}

function View({ view, data, limit, caption }: ViewProps): ReactNode {
  const strings = useDictionary().data
  if (view.type === 'json') {
    return (
      <div className="cs-code">
        <JsonView value={data} />
      </div>
    )
  }
  if (view.rows.length === 0) return <p className="cs-meta">{strings.empty}</p>
  const rows = view.rows.slice(0, limit)
  if (view.columns) return <TableView columns={view.columns} rows={rows} caption={caption} />
  if (view.type === 'list') {
    return (
      <ul className="cs-list-plain">
        {rows.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the data has no ids and never moves
          <li key={index} className="cs-list-plain-item">
            <bdi>{capMarks(cellText(item))}</bdi>
          </li>
        ))}
      </ul>
    )
  }
  return (
    // The rows of pairs are the entries of an object.
    <dl className="cs-pairs">
      {(rows as [string, unknown][]).map(([key, value]) => (
        <div key={key} className="cs-pair">
          <dt className="cs-pair-key">
            <bdi>{capMarks(key)}</bdi>
          </dt>
          <dd className="cs-pair-value">
            <bdi>{capMarks(cellText(value))}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

interface TableViewProps {
  readonly columns: readonly Column[]
  readonly rows: readonly unknown[]
  readonly caption: string
}

function TableView({ columns, rows, caption }: TableViewProps): ReactNode {
  const [box, place] = useScrollPlace<HTMLDivElement>()
  return (
    <div
      ref={box}
      className="cs-table"
      {...(place === 'none' ? {} : { tabIndex: 0, role: 'group', 'aria-label': caption })}
    >
      <table className="cs-table-grid" aria-label={caption}>
        <thead>
          <tr>
            {columns.map(({ name, numeric }, index) => (
              <th
                // oxlint-disable-next-line react/no-array-index-key -- two columns may have one name
                key={index}
                scope="col"
                className="cs-table-head"
                data-numeric={(numeric ? '' : undefined) satisfies CellAttributes['data-numeric']}
              >
                <bdi>{capMarks(name)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the data has no ids and never moves
            <tr key={index} className="cs-table-row">
              {columns.map(({ name, numeric }, column) => (
                <td
                  // oxlint-disable-next-line react/no-array-index-key -- a cell is its column
                  key={column}
                  className="cs-table-cell"
                  data-numeric={(numeric ? '' : undefined) satisfies CellAttributes['data-numeric']}
                >
                  <bdi>{capMarks(cellText(cellOf(row, name, column)))}</bdi>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A value as JSON, cut at a length a page can carry, with the length of the rest. Scrolls in itself. */
export const JsonView = memo(function JsonView({ value }: { readonly value: unknown }): ReactNode {
  const strings = useDictionary().data
  const [box, place] = useScrollPlace<HTMLPreElement>()
  const { text, rest } = jsonText(value)
  return (
    <>
      <pre ref={box} className="cs-json" tabIndex={place === 'none' ? undefined : 0}>
        {capMarks(text)}
      </pre>
      {rest > 0 && <p className="cs-meta">{strings.moreCharacters(rest)}</p>}
    </>
  )
})

const LONGEST = 20_000

/** A value as JSON a page can carry: indented while that stays readable, cut at 20,000 characters. Never throws. */
export function jsonText(value: unknown): { readonly text: string; /** Characters left out. */ readonly rest: number } {
  let text = typeof value === 'string' ? value : stringify(value)
  if (typeof value !== 'string' && text.length <= LONGEST) {
    const indented = stringify(value, 2)
    // Deeply nested, it would be mostly indentation.
    if (indented.length <= LONGEST) text = indented
  }
  return { text: text.slice(0, LONGEST), rest: Math.max(0, text.length - LONGEST) }
}

/** One value as one line of at most 1,000 characters; nothing for what is not there. */
function cellText(value: unknown): string {
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : stringify(value)
  return text.length > 1000 ? `${text.slice(0, 1000)}…` : text
}

function stringify(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, null, indent) ?? String(value)
  } catch {
    // It refers to itself, is nested beyond what the engine can follow, or is not JSON at all.
    return '…'
  }
}
