'use client'
import type { ChangeEvent, ReactNode } from 'react'
import { Icon } from '../internals/icon.tsx'
import type { ControlProps } from './field-frame.tsx'
import { useForm } from './form-context.ts'
import type { ScalarField, TextField } from './model/form-field.ts'
import { LONGEST_NAME, plainText } from './plain-text.tsx'

interface ScalarControlProps {
  readonly field: ScalarField
  readonly control: ControlProps
  /** Names it where no label does. */
  readonly name?: string | undefined
}

/** The input of a single value. Never one of type `password`: credentials enter no form. */
export function ScalarControl({ field, control, name }: ScalarControlProps): ReactNode {
  const { strings, entries, isLocked, change } = useForm()
  const entry = entries[field.id] ?? ''
  const shared = { ...control, 'aria-label': name }
  const take = (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>): void =>
    change(field.id, event.currentTarget.value)
  switch (field.kind) {
    case 'boolean':
      return (
        <input
          {...shared}
          type="checkbox"
          className="cs-check-box"
          checked={entry === 'true'}
          disabled={isLocked}
          onChange={(event) => change(field.id, String(event.currentTarget.checked))}
        />
      )
    case 'choice':
      return (
        <span className="cs-select">
          <select
            {...shared}
            className="cs-input"
            value={entry}
            disabled={isLocked}
            required={field.isRequired && !field.isNullable}
            onChange={take}
          >
            <option value="">{field.isRequired && !field.isNullable ? strings.choose : strings.none}</option>
            {field.options.map(({ label }, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the index is what the entry holds
              <option key={at} value={at}>
                {plainText(label, LONGEST_NAME)}
              </option>
            ))}
          </select>
          <Icon name="chevron" size={14} />
        </span>
      )
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          className="cs-input"
          inputMode={field.isInteger && (field.minimum ?? -1) >= 0 ? 'numeric' : undefined}
          value={entry}
          min={field.minimum ?? field.above}
          max={field.maximum ?? field.below}
          step={field.isInteger ? 1 : 'any'}
          autoComplete="off"
          readOnly={isLocked}
          required={field.isRequired && !field.isNullable}
          onChange={take}
        />
      )
    case 'text':
      return field.isLong ? (
        <textarea
          {...shared}
          className="cs-input cs-field-long"
          value={entry}
          rows={3}
          dir="auto"
          readOnly={isLocked}
          required={isNeeded(field)}
          onChange={take}
        />
      ) : (
        <input
          {...shared}
          type={TYPES[field.format ?? 'none']}
          className="cs-input"
          value={entry}
          step={field.format === 'date-time' ? 'any' : undefined}
          dir={field.format === undefined ? 'auto' : undefined}
          autoComplete={field.format === 'email' ? 'email' : 'off'}
          readOnly={isLocked}
          required={isNeeded(field)}
          onChange={take}
        />
      )
  }
}

/** An empty text is a value where there was one to begin with. */
function isNeeded(field: TextField): boolean {
  return field.isRequired && !field.isNullable && field.initial !== ''
}

const TYPES = { none: 'text', email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const
