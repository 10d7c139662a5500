'use client'
import type { ReactNode } from 'react'
import { JsonView } from '../json-view/json-view.tsx'
import type { ControlProps } from './field-frame.tsx'
import { FieldFrame } from './field-frame.tsx'
import { useForm } from './form-context.ts'
import { ListView } from './list-view.tsx'
import { listed } from './model/form-entries.ts'
import type { ChoicesField, FormField, JsonField, UnionField } from './model/form-field.ts'
import { labelOf } from './model/read-options.ts'
import { LONGEST_NAME, plainText, PlainText } from './plain-text.tsx'
import { ScalarControl } from './scalar-control.tsx'

/** A field with all that is inside of it. */
export function FieldView({ field }: { readonly field: FormField }): ReactNode {
  switch (field.kind) {
    case 'fixed':
      return <FixedView label={field.label} value={field.value} />
    case 'group':
      return <FieldFrame field={field} kind="group" renderControl={() => <FieldViews fields={field.fields} />} />
    case 'union':
      return <UnionView field={field} />
    case 'list':
      return <ListView field={field} />
    case 'choices':
      return <ChoicesView field={field} />
    case 'json':
      return <FieldFrame field={field} renderControl={(control) => <JsonControl field={field} control={control} />} />
    case 'boolean':
    case 'text':
    case 'number':
    case 'choice':
      return (
        <FieldFrame
          field={field}
          kind={field.kind === 'boolean' ? 'box' : 'single'}
          renderControl={(control) => <ScalarControl field={field} control={control} />}
        />
      )
  }
}

export function FieldViews({ fields }: { readonly fields: readonly FormField[] }): ReactNode {
  return fields.map((field) => <FieldView key={field.id} field={field} />)
}

/** A value that is sent as it is. */
function FixedView({ label, value }: { readonly label: string; readonly value: unknown }): ReactNode {
  return (
    <p className="cs-field-fixed">
      <PlainText text={label} longest={LONGEST_NAME} />
      <span>{': '}</span>
      <PlainText text={labelOf(value)} longest={LONGEST_NAME} />
    </p>
  )
}

function ChoicesView({ field }: { readonly field: ChoicesField }): ReactNode {
  const { entries, isLocked, change } = useForm()
  const chosen = listed(entries, field)
  const toggle = (index: string): void => {
    const next = chosen.includes(index) ? chosen.filter((other) => other !== index) : [...chosen, index]
    change(field.id, next.toSorted((a, b) => Number(a) - Number(b)).join(','))
  }
  return (
    <FieldFrame
      field={field}
      kind="group"
      renderControl={() =>
        field.options.map(({ label }, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the index is what the entry holds
          <label key={at} className="cs-check">
            <input
              type="checkbox"
              className="cs-check-box"
              checked={chosen.includes(String(at))}
              disabled={isLocked}
              onChange={() => toggle(String(at))}
            />
            <span className="cs-grow">
              <PlainText text={label} longest={LONGEST_NAME} />
            </span>
          </label>
        ))
      }
    />
  )
}

function UnionView({ field }: { readonly field: UnionField }): ReactNode {
  const { strings, entries, isLocked, change } = useForm()
  const variant = field.variants[Number(entries[field.id] || -1)]
  return (
    <FieldFrame
      field={field}
      kind="group"
      renderControl={(control) => (
        <>
          <select
            className="cs-input"
            aria-label={strings.kind}
            aria-invalid={control['aria-invalid']}
            value={entries[field.id] ?? ''}
            disabled={isLocked}
            onChange={(event) => change(field.id, event.currentTarget.value)}
          >
            <option value="">{field.isRequired && !field.isNullable ? strings.choose : strings.none}</option>
            {field.variants.map((known, at) => (
              <option key={known.id} value={at}>
                {plainText(nameOf(known), LONGEST_NAME) || strings.kindNumber(at + 1)}
              </option>
            ))}
          </select>
          {variant?.kind === 'group' ? (
            <FieldViews fields={variant.fields} />
          ) : (
            variant !== undefined && <FieldView field={variant} />
          )}
        </>
      )}
    />
  )
}

/** The name of a variant, or else the value that tells it from the others. */
function nameOf(variant: FormField): string {
  const fixed = variant.kind === 'group' ? variant.fields.find(({ kind }) => kind === 'fixed') : variant
  return variant.label === '' && fixed?.kind === 'fixed' ? labelOf(fixed.value) : variant.label
}

function JsonControl({ field, control }: { readonly field: JsonField; readonly control: ControlProps }): ReactNode {
  const { strings, entries, isLocked, change } = useForm()
  return (
    <>
      <textarea
        {...control}
        className="cs-input cs-field-json"
        rows={4}
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        value={entries[field.id] ?? ''}
        readOnly={isLocked}
        required={field.isRequired}
        onChange={(event) => change(field.id, event.currentTarget.value)}
      />
      {field.schema !== undefined && (
        <details className="cs-field-schema">
          <summary className="cs-field-help">{strings.schema}</summary>
          <JsonView value={field.schema} />
        </details>
      )}
    </>
  )
}
