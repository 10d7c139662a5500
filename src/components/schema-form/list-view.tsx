'use client'
import type { ReactNode } from 'react'
import { IconButton } from '../internals/icon-button.tsx'
import { Icon } from '../internals/icon.tsx'
import { FieldFrame } from './field-frame.tsx'
import { useForm } from './form-context.ts'
import { addRow, listed, MOST_ROWS, removeRow } from './model/form-entries.ts'
import type { ListField } from './model/form-field.ts'
import { rowField } from './model/form-field.ts'
import { LONGEST_NAME, plainText } from './plain-text.tsx'
import { ScalarControl } from './scalar-control.tsx'

/** The rows of a list, with buttons that add and remove one. */
export function ListView({ field }: { readonly field: ListField }): ReactNode {
  const { strings, entries, isLocked, replace } = useForm()
  const rows = listed(entries, field)
  const name = plainText(field.label === '' ? strings.value : field.label, LONGEST_NAME)
  const most = Math.min(field.maxItems ?? MOST_ROWS, MOST_ROWS)
  const add = (): void => {
    const { entries: next, row } = addRow(entries, field)
    replace(field.id, next, rowField(field, row).id)
  }
  const remove = (row: string, at: number): void => {
    const beside = rows[at + 1] ?? rows[at - 1]
    // Where no row is left, the group has the focus, and its button comes next.
    replace(field.id, removeRow(entries, field, row), beside === undefined ? field.id : rowField(field, beside).id)
  }
  return (
    <FieldFrame
      field={field}
      kind="group"
      renderControl={() => (
        <>
          {rows.length > 0 && (
            <ol className="cs-field-rows">
              {rows.map((row, at) => (
                <li key={row} className="cs-field-row">
                  <FieldFrame
                    field={{ ...rowField(field, row), isRequired: false }}
                    label={strings.item(at + 1)}
                    kind={field.item.kind === 'boolean' ? 'box' : 'single'}
                    renderControl={(control) => <ScalarControl field={rowField(field, row)} control={control} />}
                  />
                  <IconButton
                    icon="x"
                    label={strings.remove(name, at + 1)}
                    aria-disabled={isLocked}
                    onClick={() => !isLocked && remove(row, at)}
                  />
                </li>
              ))}
            </ol>
          )}
          {rows.length < most && (
            <button
              type="button"
              className="cs-button"
              data-kind="plain"
              aria-disabled={isLocked}
              onClick={() => !isLocked && add()}
            >
              <Icon name="plus" />
              <span className="cs-clip">{strings.add(name)}</span>
            </button>
          )}
        </>
      )}
    />
  )
}
