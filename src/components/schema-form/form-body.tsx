'use client'
import type { ReactNode, Ref, SyntheticEvent } from 'react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLatest } from '../../react/use-latest.ts'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import { classNames, Root } from '../internals/part.ts'
import { submitOnClick } from '../internals/forms/submit-on-click.ts'
import { useSheetCheck } from '../internals/use-sheet-check.ts'
import { ErrorSummary } from './error-summary.tsx'
import { FieldView, FieldViews } from './field-view.tsx'
import type { FormState } from './form-context.ts'
import { FormContext } from './form-context.ts'
import { tabDrafts } from './form-drafts.ts'
import { collectValue } from './model/collect-value.ts'
import type { FormEntries } from './model/form-entries.ts'
import { judgeValue } from './model/judge-value.ts'
import { PlainText } from './plain-text.tsx'
import type { SchemaFormProps, SchemaFormStatus } from './schema-form.tsx'
import type { schemaFormAttributes } from './schema-form-attributes.ts'
import type { SchemaFormStrings } from '../../strings/form.ts'
import type { Edits, Report } from './shown-errors.ts'
import { distinct, problemText, reportOf, unchanged } from './shown-errors.ts'
import { controlOf, firstOf, unreadableControls } from './form-controls.ts'
import { useFormDraft } from './use-form-draft.ts'
import { useFormModel } from './use-form-model.ts'

type Attributes = AttributesOf<typeof schemaFormAttributes>

interface FormBodyProps extends SchemaFormProps {
  readonly strings: SchemaFormStrings
  readonly rootRef: Ref<HTMLFormElement>
}

/** How far a form is. `done`: its value was handed over, and nothing was changed since. */
type Phase = 'filling' | 'refused' | 'checking' | 'done'

const NOTHING: Report = []

/** The sheet gives the fields space. */
const hasLook = ({ display }: CSSStyleDeclaration): boolean => display === 'flex' || display === ''

/** The form once its code is there, and its words. */
export function FormBody({
  schema,
  initial,
  onSubmit,
  onCancel,
  errors,
  disabled = false,
  submitLabel,
  draftKey,
  drafts = tabDrafts,
  strings,
  children,
  render,
  className,
  rootRef,
  ...rest
}: FormBodyProps): ReactNode {
  const { form, start, ...own } = useFormModel(schema, initial)
  const [kept, setKept] = useState({ start, entries: start })
  const [phase, setPhase] = useState<Phase>('filling')
  const [report, setReport] = useState(NOTHING)
  const [edits, setEdits] = useState<Edits>({})
  /** The field that gets the focus after the next commit; an object, so that the same one can get it again. */
  const [focus, setFocus] = useState<{ readonly id: string | undefined }>()
  const fields = useRef<HTMLDivElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  useSheetCheck(fields, 'capstan/prompts.css', hasLook)

  // Another form begins again.
  const entries = kept.start === start ? kept.entries : start
  const setEntries = useCallback(
    (next: (before: FormEntries) => FormEntries): void =>
      setKept((before) => ({ start, entries: next(before.start === start ? before.entries : start) })),
    [start],
  )
  const status: SchemaFormStatus = disabled ? 'disabled' : phase === 'checking' ? 'checking' : 'ready'
  const isLocked = status !== 'ready'
  const collected = collectValue(form, entries, start)
  const refused = useMemo(
    () => (errors === undefined ? NOTHING : reportOf(errors, collectValue(form, entries, start), (text) => text)),
    [errors, form, entries, start],
  )
  const shown = distinct([
    ...(phase === 'refused'
      ? collected.problems.map((problem) => ({ id: problem.field.id, text: problemText(problem, strings) }))
      : NOTHING),
    ...unchanged(report, report, edits),
    ...unchanged(refused, errors, edits),
  ])

  useFormDraft({
    key: draftKey,
    drafts,
    form,
    start,
    entries,
    setEntries,
    isDone: phase === 'done' && unchanged(refused, errors, edits).length === 0,
  })

  const goTo = useCallback((id: string | undefined): void => {
    const target = controlOf(fields.current, id) ?? summary.current
    target?.focus()
  }, [])
  const latestRefused = useLatest(refused)
  // A page that opens with a refused form leaves the focus where it is.
  const seen = useRef(errors)
  useEffect(() => {
    if (seen.current === errors) return
    seen.current = errors
    const ids = latestRefused.current.map(({ id }) => id)
    if (ids.length > 0) goTo(firstOf(fields.current, ids))
  }, [errors, latestRefused, goTo])
  useEffect(() => {
    if (focus !== undefined) goTo(focus.id)
  }, [focus, goTo])

  const latest = useLatest({ onSubmit, disabled })
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])

  const noteEdit = (id: string): void => {
    setEdits((before) => ({ ...before, [id]: [report, errors] }))
    setPhase((before) => (before === 'done' ? 'filling' : before))
  }
  const refuse = (found: Report, id: string | undefined): void => {
    setReport(found)
    setPhase('refused')
    setFocus({ id })
  }
  const submit = async (target: HTMLFormElement): Promise<void> => {
    const unreadable = unreadableControls(target).map(({ id, code }): Report[number] => ({
      id,
      text: strings.problems[code],
    }))
    const { problems, value } = collected
    if (unreadable.length > 0 || problems.length > 0) {
      const wrong = [...unreadable.map(({ id }) => id), ...problems.map(({ field }) => field.id)]
      refuse(unreadable, firstOf(fields.current, wrong))
      return
    }
    setReport(NOTHING)
    setPhase('checking')
    const verdict = await judgeValue(own.schema, value)
    if (!isMounted.current) return
    if (verdict.result === 'invalid') {
      const found = reportOf(verdict.errors, collected, strings.notAccepted)
      refuse(
        found,
        firstOf(
          fields.current,
          found.map(({ id }) => id),
        ),
      )
      return
    }
    setPhase(latest.current.disabled ? 'filling' : 'done')
    if (!latest.current.disabled) latest.current.onSubmit(value)
  }

  const state: FormState = {
    strings,
    entries,
    errors: shown,
    isLocked,
    change(id, entry) {
      setEntries((before) => ({ ...before, [id]: entry }))
      noteEdit(id)
    },
    replace(listId, next, focusId) {
      setEntries(() => next)
      noteEdit(listId)
      setFocus({ id: focusId })
    },
  }
  const root = {
    ...rest,
    className: classNames('cs-part cs-form', className),
    'data-status': status satisfies Attributes['data-status'],
    'aria-busy': status === 'checking',
    noValidate: true,
    autoComplete: 'off',
    onSubmit(event: SyntheticEvent<HTMLElement>): void {
      event.preventDefault()
      // The part's element is a form, and what `render` puts in its place submits as one.
      if (!isLocked) void submit(event.currentTarget as HTMLFormElement)
    },
    children: (
      <FormContext.Provider value={state}>
        {shown.length > 0 && <ErrorSummary ref={summary} form={form} errors={shown} onGo={goTo} />}
        <div ref={fields} className="cs-form-fields">
          {form.kind === 'group' ? (
            <>
              {form.description !== undefined && (
                <p className="cs-field-help">
                  <PlainText text={form.description} />
                </p>
              )}
              <FieldViews fields={form.fields} />
            </>
          ) : (
            <FieldView field={form} />
          )}
        </div>
        <div className="cs-form-actions">
          {children}
          {onCancel && (
            <button type="button" className="cs-button" data-kind="plain" onClick={onCancel}>
              {strings.cancel}
            </button>
          )}
          <button
            type="submit"
            className="cs-button"
            data-kind="primary"
            aria-disabled={isLocked}
            onClick={submitOnClick}
          >
            {submitLabel ?? strings.submit}
          </button>
        </div>
      </FormContext.Provider>
    ),
  }
  return <Root tag="form" render={render} root={root} state={{ status }} rootRef={rootRef} />
}
