'use client'
import type { ChangeEvent, ReactNode } from 'react'
import { createContext, useContext, useId } from 'react'
import { showCode } from '../../base/text.ts'
import type { SchemaFormStrings } from '../../strings/form.ts'
import type { AttributesOf, PartAttributes } from '../internals/part.ts'
import { IconButton } from '../internals/buttons.tsx'
import { Icon } from '../internals/icon.tsx'
import { StatusMark } from '../internals/status-mark.tsx'
import { JsonView } from '../data-block.tsx'
import { type FormEntries, addRow, listed, MOST_ROWS, removeRow } from './collect-value.ts'
import type { ChoicesField, FormField, JsonField, ListField, ScalarField, UnionField } from './form-field.ts'
import { rowField } from './form-field.ts'
import { canRunPattern } from './pattern-cost.ts'
import { labelOf } from './read-form.ts'

/** The `data-*` attributes of `SchemaForm`. */
export const schemaFormAttributes = {
  root: {
    selector: '.cs-form',
    attributes: {
      'data-status': {
        values: ['ready', 'checking', 'disabled'],
        meaning: 'Whether it can be filled in, the values are being checked, or it is disabled',
      },
    },
  },
  fields: {
    selector: '.cs-field',
    attributes: {
      'data-kind': {
        values: ['text', 'number', 'boolean', 'choice', 'choices', 'fixed', 'group', 'union', 'list', 'json'],
        meaning: 'What is entered',
      },
      'data-invalid': { values: 'present', meaning: 'The value was refused' },
    },
  },
  controls: {
    selector: '.cs-form [data-field]',
    internal: true,
    attributes: { 'data-field': { values: 'any', meaning: 'The place of the field in the form' } },
  },
} as const satisfies PartAttributes

/** What is wrong, as it is shown at a field. */
export interface ShownError {
  readonly id: string
  readonly text: string
}

/** What the fields of a form share. */
export interface FormState {
  readonly strings: SchemaFormStrings
  readonly entries: FormEntries
  readonly errors: readonly ShownError[]
  /** Nothing can be entered now. */
  readonly isLocked: boolean
  /** Something was entered in the field of this id. */
  readonly change: (id: string, entry: string) => void
  /** Rows came or went; the field of an id gets the focus once it is there. */
  readonly replace: (listId: string, entries: FormEntries, focus: string) => void
}

export const FormContext = createContext<FormState | undefined>(undefined)

function useForm(): FormState {
  const form = useContext(FormContext)
  if (form === undefined) throw new Error('A field is shown outside of a form.')
  return form
}

const LONGEST_TEXT = 2_000
/** Length of a name of a field or an option. */
const LONGEST_NAME = 200

/** Text of an agent as it is shown in words of ours: of a bounded length, with characters that nobody sees made visible. */
export function plainText(text: string, longest: number): string {
  return showCode(text.length > longest ? `${text.slice(0, longest)}…` : text)
}

const plainName = (text: string): string => plainText(text, LONGEST_NAME)

/** Text of an agent beside text of ours, reading in its own direction. */
function PlainText({ text, longest }: { readonly text: string; readonly longest: number }): ReactNode {
  return <bdi className="cs-form-text">{plainText(text, longest)}</bdi>
}

/** The name of a field or an option. */
export function Name({ text }: { readonly text: string }): ReactNode {
  return <PlainText text={text} longest={LONGEST_NAME} />
}

/** Messages about a field, or about the form. */
export function About({ id, text }: { readonly id?: string; readonly text: string | undefined }): ReactNode {
  return (
    text !== undefined && (
      <p id={id} className="cs-field-help">
        <PlainText text={text} longest={LONGEST_TEXT} />
      </p>
    )
  )
}

/** Attributes that tie a control to its label, help and errors. */
interface ControlProps {
  readonly id: string
  readonly 'data-field': string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface FieldFrameProps {
  readonly field: FormField
  /** Stands in for the field's own name. */
  readonly label?: ReactNode
  readonly children: (props: ControlProps) => ReactNode
}

/**
 * A control, or a group of them, with its name, description and errors. A group is a `<fieldset>`,
 * whose children have their own labels; the label of a box follows its control.
 */
function FieldFrame({ field, label, children }: FieldFrameProps): ReactNode {
  const { strings, errors } = useForm()
  const id = useId()
  const { kind } = field
  const isGroup = kind === 'group' || kind === 'union' || kind === 'list' || kind === 'choices'
  const own = errors.filter((error) => error.id === field.id)
  const help = helpOf(field, strings)
  const describedBy = [
    field.description !== undefined && `${id}-about`,
    help.length > 0 && `${id}-help`,
    field.asksCredential && `${id}-credential`,
    own.length > 0 && `${id}-errors`,
  ].filter((part) => part !== false)
  const control: ControlProps = {
    id,
    'data-field': field.id,
    'aria-invalid': own.length > 0 || undefined,
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
  }
  const name = (
    <>
      {label ?? <Name text={field.label === '' ? strings.value : field.label} />}
      {field.isRequired && kind !== 'boolean' && kind !== 'group' && (
        <span className="cs-field-required">{` ${strings.required}`}</span>
      )}
    </>
  )
  const Tag = isGroup ? 'fieldset' : 'div'
  const Label = isGroup ? 'legend' : 'label'
  return (
    <Tag
      className={isGroup ? 'cs-field cs-field-group' : 'cs-field'}
      {...({ 'data-kind': kind, 'data-invalid': own.length > 0 ? '' : undefined } satisfies FieldAttributes)}
      {...(isGroup && { 'data-field': field.id, 'aria-describedby': control['aria-describedby'], tabIndex: -1 })}
    >
      {kind === 'boolean' ? (
        <label className="cs-check" htmlFor={id}>
          {children(control)}
          <span className="cs-grow">{name}</span>
        </label>
      ) : (
        <Label className="cs-field-label" {...(!isGroup && { htmlFor: id })}>
          {name}
        </Label>
      )}
      <About id={`${id}-about`} text={field.description} />
      {help.length > 0 && (
        <p id={`${id}-help`} className="cs-field-help">
          {help.join(' ')}
        </p>
      )}
      {field.asksCredential && (
        <StatusMark tag="p" id={`${id}-credential`} className="cs-field-warning" icon="alert">
          {strings.credential}
        </StatusMark>
      )}
      {kind !== 'boolean' && children(control)}
      {own.length > 0 && (
        <div id={`${id}-errors`} className="cs-field-errors">
          {own.map(({ text }) => (
            <p key={text} className="cs-field-error">
              <Icon name="alert" />
              <bdi className="cs-form-text">{text}</bdi>
            </p>
          ))}
        </div>
      )}
    </Tag>
  )
}

type FieldAttributes = AttributesOf<typeof schemaFormAttributes, 'fields'>

/** Where even a short text would take too long to match, no text is checked here. */
const SHORT = 40

function helpOf(field: FormField, strings: SchemaFormStrings): readonly string[] {
  if (field.kind === 'json') return [field.reason === 'large' ? strings.large : strings.json]
  if (field.kind !== 'text') return []
  const isUnchecked = field.pattern !== undefined && !canRunPattern(field.pattern, SHORT)
  return [
    ...(field.format === 'date-time' ? [strings.localTime] : []),
    ...(isUnchecked ? [strings.uncheckedPattern] : []),
  ]
}

/** A field with all that is inside of it. */
export function FieldView({ field }: { readonly field: FormField }): ReactNode {
  switch (field.kind) {
    case 'fixed':
      // It is sent as it is.
      return (
        <p className="cs-field-fixed">
          <Name text={field.label} />
          <span>{': '}</span>
          <Name text={labelOf(field.value)} />
        </p>
      )
    case 'group':
      return <FieldFrame field={field}>{() => <FieldViews fields={field.fields} />}</FieldFrame>
    case 'union':
      return <UnionView field={field} />
    case 'list':
      return <ListView field={field} />
    case 'choices':
      return <ChoicesView field={field} />
    default:
      return <FieldFrame field={field}>{(control) => <Control field={field} control={control} />}</FieldFrame>
  }
}

export function FieldViews({ fields }: { readonly fields: readonly FormField[] }): ReactNode {
  return fields.map((field) => <FieldView key={field.id} field={field} />)
}

function ChoicesView({ field }: { readonly field: ChoicesField }): ReactNode {
  const { entries, isLocked, change } = useForm()
  const chosen = listed(entries, field)
  const toggle = (index: string): void => {
    const next = chosen.includes(index) ? chosen.filter((other) => other !== index) : [...chosen, index]
    change(field.id, next.toSorted((a, b) => Number(a) - Number(b)).join(','))
  }
  return (
    <FieldFrame field={field}>
      {() =>
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
              <Name text={label} />
            </span>
          </label>
        ))
      }
    </FieldFrame>
  )
}

function UnionView({ field }: { readonly field: UnionField }): ReactNode {
  const { strings, entries, isLocked, change } = useForm()
  const entry = entries[field.id] ?? ''
  const variant = field.variants[Number(entry || -1)]
  return (
    <FieldFrame field={field}>
      {(control) => (
        <>
          <select
            className="cs-input"
            aria-label={strings.kind}
            aria-invalid={control['aria-invalid']}
            value={entry}
            disabled={isLocked}
            onChange={(event) => change(field.id, event.currentTarget.value)}
          >
            <Options
              field={field}
              names={field.variants.map((known, at) => nameOf(known) || strings.kindNumber(at + 1))}
            />
          </select>
          {variant?.kind === 'group' ? (
            <FieldViews fields={variant.fields} />
          ) : (
            variant !== undefined && <FieldView field={variant} />
          )}
        </>
      )}
    </FieldFrame>
  )
}

/** The name of a variant, or else the value that tells it from the others. */
function nameOf(variant: FormField): string {
  const fixed = variant.kind === 'group' ? variant.fields.find(({ kind }) => kind === 'fixed') : variant
  return variant.label === '' && fixed?.kind === 'fixed' ? labelOf(fixed.value) : variant.label
}

/** What there is to choose from, by its index, after that nothing is chosen. */
function Options({ field, names }: { readonly field: FormField; readonly names: readonly string[] }): ReactNode {
  const { strings } = useForm()
  return (
    <>
      <option value="">{field.isRequired && !field.isNullable ? strings.choose : strings.none}</option>
      {names.map((name, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the index is what the entry holds
        <option key={at} value={at}>
          {plainName(name)}
        </option>
      ))}
    </>
  )
}

/** The rows of a list, with buttons that add and remove one. */
function ListView({ field }: { readonly field: ListField }): ReactNode {
  const { strings, entries, isLocked, replace } = useForm()
  const rows = listed(entries, field)
  const name = plainName(field.label === '' ? strings.value : field.label)
  const most = Math.min(field.limits.maxItems ?? MOST_ROWS, MOST_ROWS)
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
    <FieldFrame field={field}>
      {() => (
        <>
          {rows.length > 0 && (
            <ol className="cs-field-rows">
              {rows.map((row, at) => (
                <li key={row} className="cs-field-row">
                  <FieldFrame field={{ ...rowField(field, row), isRequired: false }} label={strings.item(at + 1)}>
                    {(control) => <Control field={rowField(field, row)} control={control} />}
                  </FieldFrame>
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
    </FieldFrame>
  )
}

const TYPES = { none: 'text', email: 'email', uri: 'url', date: 'date', 'date-time': 'datetime-local' } as const

interface ControlFieldProps {
  readonly field: ScalarField | JsonField
  readonly control: ControlProps
}

/** The input of a single value, or of JSON text. Never one of type `password`: credentials enter no form. */
function Control({ field, control }: ControlFieldProps): ReactNode {
  const { strings, entries, isLocked, change } = useForm()
  const entry = entries[field.id] ?? ''
  const isNeeded = field.isRequired && !field.isNullable
  const shared = {
    ...control,
    className: 'cs-input',
    value: entry,
    required: isNeeded,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>): void =>
      change(field.id, event.currentTarget.value),
  }
  const typed = { ...shared, readOnly: isLocked }
  switch (field.kind) {
    case 'boolean':
      return (
        <input
          {...control}
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
          <select {...shared} disabled={isLocked}>
            <Options field={field} names={field.options.map(({ label }) => label)} />
          </select>
          <Icon name="chevron" size={14} />
        </span>
      )
    case 'number': {
      const { minimum, maximum, above, below } = field.limits
      return (
        <input
          {...typed}
          type="number"
          inputMode={field.isInteger && (minimum ?? -1) >= 0 ? 'numeric' : undefined}
          min={minimum ?? above}
          max={maximum ?? below}
          step={field.isInteger ? 1 : 'any'}
          autoComplete="off"
        />
      )
    }
    case 'text': {
      // An empty text is a value where there was one to begin with.
      const required = isNeeded && field.initial !== ''
      const { format } = field
      return field.isLong ? (
        <textarea {...typed} className="cs-input cs-field-long" rows={3} dir="auto" required={required} />
      ) : (
        <input
          {...typed}
          type={TYPES[format ?? 'none']}
          step={format === 'date-time' ? 'any' : undefined}
          dir={format === undefined ? 'auto' : undefined}
          autoComplete={format === 'email' ? 'email' : 'off'}
          required={required}
        />
      )
    }
    case 'json':
      return (
        <>
          <textarea
            {...typed}
            className="cs-input cs-field-json"
            rows={4}
            dir="ltr"
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            required={field.isRequired}
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
}
