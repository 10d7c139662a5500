import { fireEvent } from '@testing-library/react'
import { type FormField, fieldAt, readForm } from '../../../src/components/schema-form/read-form.ts'
import { listed, startEntries } from '../../../src/components/schema-form/collect-value.ts'
import type { JsonSchema } from '../../../src/seam/prompt.ts'

/** What a user does with one control, from the first to the last. */
export interface Step {
  /** Field of the control. */
  readonly id: string
  readonly act: 'type' | 'choose' | 'check' | 'add'
  /** The text, or the index of the option or box. */
  readonly entry: string
}

/** The steps that enter a value into an empty form, control by control as the Tab key goes. */
export function stepsTo(schema: JsonSchema, value: unknown): readonly Step[] {
  const begun = startEntries(readForm(schema))
  const form = readForm(schema, value)
  const wanted = startEntries(form)
  const steps: Step[] = []
  const enter = (field: FormField): void => {
    const before = begun[field.id] ?? ''
    const entry = wanted[field.id] ?? ''
    switch (field.kind) {
      case 'fixed':
        return
      case 'group':
        return field.fields.forEach(enter)
      case 'union':
        steps.push({ id: field.id, act: 'choose', entry })
        if (entry !== '') enter(field.variants[Number(entry)]!)
        return
      case 'list':
        for (const row of listed(wanted, field)) {
          steps.push({ id: field.id, act: 'add', entry: row })
          enter(fieldAt(field, `${field.id}/~r${row}`))
        }
        return
      case 'choices':
        for (const index of listed(wanted, field)) steps.push({ id: field.id, act: 'check', entry: index })
        return
      case 'boolean':
        if ((entry === 'true') !== (before === 'true')) steps.push({ id: field.id, act: 'check', entry })
        return
      case 'choice':
        steps.push({ id: field.id, act: 'choose', entry })
        return
      case 'text':
      case 'number':
      case 'json':
        // A value that a form cannot hold leaves its field empty, as it was typed in vain.
        steps.push({ id: field.id, act: 'type', entry })
    }
  }
  enter(form)
  return steps
}

/** Does a step in a page of jsdom. */
export function take({ id, act, entry }: Step): void {
  const control = [...document.querySelectorAll<HTMLElement>('[data-field]')].find(
    ({ dataset }) => dataset['field'] === id,
  )
  if (control === undefined) throw new Error(`No control of ${id}.`)
  if (act === 'add') fireEvent.click(control.querySelector(':scope > .cs-button')!)
  else if (control instanceof HTMLFieldSetElement && act === 'choose')
    fireEvent.change(control.querySelector(':scope > select')!, { target: { value: entry } })
  else if (control instanceof HTMLFieldSetElement)
    fireEvent.click(control.querySelectorAll('input[type="checkbox"]')[Number(entry)]!)
  else if (act === 'check') fireEvent.click(control)
  else fireEvent.change(control, { target: { value: entry } })
}
