'use client'
import type { ReactNode } from 'react'
import { useId } from 'react'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import { Icon } from '../internals/icon.tsx'
import { useForm } from './form-context.ts'
import type { FormField } from './model/form-field.ts'
import { canRunPattern } from './model/pattern-cost.ts'
import { LONGEST_NAME, PlainText } from './plain-text.tsx'
import type { schemaFormAttributes } from './schema-form-attributes.ts'

type Attributes = AttributesOf<typeof schemaFormAttributes, 'fields'>

/** Attributes that tie a control to its label, help and errors. */
export interface ControlProps {
  readonly id: string
  readonly 'data-field': string
  readonly 'aria-invalid': true | undefined
  readonly 'aria-describedby': string | undefined
}

interface FieldFrameProps {
  readonly field: FormField
  /** Stands in for the field's own name. */
  readonly label?: ReactNode
  /** `group`: a `<fieldset>`, whose children have labels of their own. `box`: the label follows its control. */
  readonly kind?: 'single' | 'group' | 'box' | undefined
  readonly renderControl: (props: ControlProps) => ReactNode
}

/** A control, or a group of them, with its name, what is said about it, and what is wrong. */
export function FieldFrame({ field, label, kind = 'single', renderControl }: FieldFrameProps): ReactNode {
  const { strings, errors } = useForm()
  const id = useId()
  const own = errors.filter((error) => error.id === field.id)
  const help = helpOf(field, strings)
  const describedBy = [
    field.description !== undefined && `${id}-about`,
    help.length > 0 && `${id}-help`,
    field.asksCredential && `${id}-credential`,
    own.length > 0 && `${id}-errors`,
  ].filter((part) => part !== false)
  const props: ControlProps = {
    id,
    'data-field': field.id,
    'aria-invalid': own.length > 0 || undefined,
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
  }
  const name = (
    <>
      {label ?? <PlainText text={field.label === '' ? strings.value : field.label} longest={LONGEST_NAME} />}
      {field.isRequired && field.kind !== 'boolean' && field.kind !== 'group' && (
        <span className="cs-field-required">{` ${strings.required}`}</span>
      )}
    </>
  )
  const about = (
    <>
      {field.description !== undefined && (
        <p id={`${id}-about`} className="cs-field-help">
          <PlainText text={field.description} />
        </p>
      )}
      {help.length > 0 && (
        <p id={`${id}-help`} className="cs-field-help">
          {help.join(' ')}
        </p>
      )}
      {field.asksCredential && (
        <p id={`${id}-credential`} className="cs-field-warning">
          <Icon name="alert" />
          <span>{strings.credential}</span>
        </p>
      )}
    </>
  )
  const wrong = own.length > 0 && (
    <div id={`${id}-errors`} className="cs-field-errors">
      {own.map(({ text }) => (
        <p key={text} className="cs-field-error">
          <Icon name="alert" />
          <bdi className="cs-form-text">{text}</bdi>
        </p>
      ))}
    </div>
  )
  const state = {
    'data-kind': field.kind,
    'data-invalid': own.length > 0 ? '' : undefined,
  } satisfies Attributes
  if (kind === 'group') {
    const { id: _, 'aria-invalid': __, ...group } = props
    return (
      <fieldset className="cs-field cs-field-group" {...state} {...group} tabIndex={-1}>
        <legend className="cs-field-label">{name}</legend>
        {about}
        {renderControl(props)}
        {wrong}
      </fieldset>
    )
  }
  if (kind === 'box')
    return (
      <div className="cs-field" {...state}>
        <label className="cs-check" htmlFor={id}>
          {renderControl(props)}
          <span className="cs-grow">{name}</span>
        </label>
        {about}
        {wrong}
      </div>
    )
  return (
    <div className="cs-field" {...state}>
      <label className="cs-field-label" htmlFor={id}>
        {name}
      </label>
      {about}
      {renderControl(props)}
      {wrong}
    </div>
  )
}

function helpOf(field: FormField, strings: ReturnType<typeof useForm>['strings']): readonly string[] {
  if (field.kind === 'json') return [field.reason === 'large' ? strings.large : strings.json]
  if (field.kind !== 'text') return []
  const help: string[] = []
  if (field.format === 'date-time') help.push(strings.localTime)
  // Where even a short text would take too long, no text is checked here.
  if (field.pattern !== undefined && !canRunPattern(field.pattern, SHORT)) help.push(strings.uncheckedPattern)
  return help
}

const SHORT = 40
