'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import type { ViewHint } from '../../protocols/agent-event.ts'
import { useDictionary } from '../dictionary-context.tsx'
import { jsonText } from '../json-text.ts'
import { classNames } from '../part.ts'
import type { Table } from './table-of.ts'
import { cellText, isRecord, tableOf } from './table-of.ts'

export interface DataBlockProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly data: unknown
  /** How the agent would like it shown; data that does not fit is shown as JSON. */
  readonly viewHint?: ViewHint | undefined
}

/** Rows a page shows before it says how many more there are. */
const MOST_ROWS = 200

/** Data in the shape the agent asked for: table, list, pairs or JSON. `data-view` says which it became. */
export function DataBlock({ data, viewHint = 'JSON', className, ...rest }: DataBlockProps): ReactNode {
  const words = useDictionary().data
  const table = viewHint === 'TABLE' ? tableOf(data) : undefined
  const items = viewHint === 'LIST' && Array.isArray(data) ? (data as readonly unknown[]) : undefined
  const pairs = viewHint === 'KEY_VALUE' && isRecord(data) ? Object.entries(data) : undefined
  const root = (view: string, scrolls: boolean) => ({
    ...(scrolls ? { tabIndex: 0, role: 'region', 'aria-label': words.label } : {}),
    ...rest,
    'data-view': view,
  })

  if (table) {
    return (
      <div {...root('table', true)} className={classNames('cs-part cs-table', className)}>
        <TableView table={table} />
        <More count={table.rows.length - MOST_ROWS} />
      </div>
    )
  }
  if (items) {
    return (
      <div {...root('list', false)} className={classNames('cs-part cs-prose', className)}>
        <ul className="cs-list-plain">
          {items.slice(0, MOST_ROWS).map((item, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the data has no ids and never moves
            <li key={index} className="cs-list-plain-item" dir="auto">
              {cellText(item)}
            </li>
          ))}
        </ul>
        <More count={items.length - MOST_ROWS} />
      </div>
    )
  }
  if (pairs) {
    return (
      <div {...root('pairs', false)} className={classNames('cs-part', className)}>
        <dl className="cs-pairs">
          {pairs.slice(0, MOST_ROWS).map(([key, value]) => (
            <div key={key} className="cs-pair">
              <dt className="cs-pair-key" dir="auto">
                {key}
              </dt>
              <dd className="cs-pair-value" dir="auto">
                {cellText(value)}
              </dd>
            </div>
          ))}
        </dl>
        <More count={pairs.length - MOST_ROWS} />
      </div>
    )
  }
  return (
    <div {...root('json', true)} className={classNames('cs-part cs-code', className)}>
      <pre className="cs-json">{jsonText(data)}</pre>
    </div>
  )
}

function TableView({ table }: { readonly table: Table }): ReactNode {
  const numeric = table.columns.map((_, column) => table.rows.every((row) => typeof row[column] === 'number'))
  return (
    <table className="cs-table-grid">
      <thead>
        <tr>
          {table.columns.map((column, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- two columns may have one name
            <th key={index} scope="col" className="cs-table-head" data-numeric={numeric[index] ? '' : undefined} dir="auto">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.slice(0, MOST_ROWS).map((row, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the data has no ids and never moves
          <tr key={index} className="cs-table-row">
            {row.map((cell, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- a cell is its column
              <td key={column} className="cs-table-cell" data-numeric={numeric[column] ? '' : undefined} dir="auto">
                {cellText(cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function More({ count }: { readonly count: number }): ReactNode {
  const words = useDictionary().data
  return count > 0 ? <p className="cs-meta cs-more">{words.more(count)}</p> : null
}
