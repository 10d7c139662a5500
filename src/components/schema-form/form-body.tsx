'use client'

import {
  type ComponentPropsWithoutRef,
  type ComponentType,
  type ReactNode,
  type Ref,
  type RefObject,
  type SyntheticEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { parseBoundedJson } from '../../base/bounded-json.ts'
import { isRecord } from '../../base/guards.ts'
import { useLatest } from '../../react/use-latest.ts'
import type { FieldError, JsonSchema } from '../../seam/prompt.ts'
import { englishForm, type SchemaFormStrings } from '../../strings/form.ts'
import { type AttributesOf, type RenderRoot, classNames, Root } from '../internals/part.ts'
import { submitOnClick } from '../internals/submit-on-click.ts'
import { useSheetCheck } from '../internals/use-sheet-check.ts'
import { packOf } from '../dictionary/use-pack.ts'
import {
  type FormState,
  type schemaFormAttributes,
  type ShownError,
  About,
  FieldView,
  FieldViews,
  FormContext,
  Name,
  plainText,
} from './fields.tsx'
import {
  type CollectedValue,
  collectValue,
  placeOf,
  type FormEntries,
  startEntries,
  readDraft,
  restoredEntries,
  storedEntries,
  writeDraft,
} from './collect-value.ts'
import { type FormField, fieldAt, isWithin } from './form-field.ts'
import { measureJson } from './measure-json.ts'
import { FORM_LIMITS, largeForm, readForm } from './read-form.ts'
import type { Verdict } from './bounded-judge.ts'

/** Whether a form can be filled in, its values are being checked, or it is disabled. */
export type SchemaFormStatus = 'ready' | 'checking' | 'disabled'

export interface SchemaFormProps extends Omit<ComponentPropsWithoutRef<'form'>, 'onSubmit' | 'action' | 'method'> {
  /** The schema of the value. Untrusted. Keep the object stable: another one is another form. */
  readonly schema: JsonSchema
  /** The value to begin with, over the defaults of the schema. Another one is another form. Absent: only the defaults. */
  readonly initial?: unknown
  /** The user submitted a value. It fits the schema, as far as that could be checked on this page. */
  readonly onSubmit: (value: unknown) => void
  /** The user does not want to fill it in. Absent: no button. */
  readonly onCancel?: (() => void) | undefined
  /**
   * What the agent refused of the value that was submitted last, shown at its fields. The first one gets the focus. Keep the array
   * stable: another one is another refusal. Absent: nothing.
   */
  readonly errors?: readonly FieldError[] | undefined
  /** Nothing can be entered or submitted, such as while an answer is sent. @default false */
  readonly disabled?: boolean | undefined
  /** Name of the button that submits. @default the strings' "Submit" */
  readonly submitLabel?: string | undefined
  /** Keeps what was entered under this key, until it is submitted. Absent: nothing is stored. */
  readonly draftKey?: string | undefined
  /** Where drafts are stored; fields of secrets are never stored. @default the session storage of the tab */
  readonly drafts?: FormDrafts | undefined
  /** Words in another language than that of the dictionary. @default those of the dictionary's language, fetched on demand */
  readonly strings?: SchemaFormStrings | undefined
  /** More buttons, before the one that submits. Absent: none. */
  readonly children?: ReactNode
  /** Replaces the root element; receives the props to spread and the part's state. @default the part's root element */
  readonly render?: RenderRoot<{ readonly status: SchemaFormStatus }> | undefined
}

interface FormBodyProps extends SchemaFormProps {
  readonly strings: SchemaFormStrings
  readonly rootRef: Ref<HTMLFormElement>
}

/** The fields of a form and their words, once they are loaded. */
export interface FormCode {
  readonly Body: ComponentType<FormBodyProps>
  readonly strings: SchemaFormStrings
}

/** What a page fetches for its forms. Words are English where there are none, and where they could not be fetched. */
export async function loadFormCode(language: string): Promise<FormCode> {
  const pack = packOf(language)
  await pack?.load().catch(() => {})
  return { Body: FormBody, strings: pack?.get()?.form ?? englishForm }
}

type Attributes = AttributesOf<typeof schemaFormAttributes>

/** What was found at one moment, and is shown until its field is changed. */
type Report = readonly ShownError[]

/** The newest reports there were when a field was changed, by its id. */
type Edits = Readonly<Record<string, readonly unknown[]>>

/** How far a form is. `done`: its value was handed over, and nothing was changed since. */
type Phase = 'filling' | 'refused' | 'checking' | 'done'

const NOTHING: Report = []

const MOST_ERRORS = 50

const LONGEST_MESSAGE = 500

function FormBody({
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
  const { form, start, checked } = useFormModel(schema, initial)
  const [kept, setKept] = useState({ start, entries: start })
  const [phase, setPhase] = useState<Phase>('filling')
  const [report, setReport] = useState(NOTHING)
  const [edits, setEdits] = useState<Edits>({})
  /** The field that gets the focus after the next commit; an object, so that the same one can get it again. */
  const [focus, setFocus] = useState<{ readonly id: string | undefined }>()
  const fields = useRef<HTMLDivElement>(null)
  const summary = useRef<HTMLDivElement>(null)
  useSheetCheck(fields)

  // Another form begins again.
  const entries = kept.start === start ? kept.entries : start
  const setEntries = useCallback(
    (next: (before: FormEntries) => FormEntries): void =>
      setKept((before) => ({ start, entries: next(before.start === start ? before.entries : start) })),
    [start],
  )
  const status: SchemaFormStatus = disabled ? 'disabled' : phase === 'checking' ? 'checking' : 'ready'
  const isLocked = status !== 'ready'
  const collected = useMemo(() => collectValue(form, entries, start), [form, entries, start])
  const refused = useMemo(() => reportOf(errors ?? [], collected, (text) => text), [errors, collected])
  const found = collected.problems.map(({ field, problem }) => ({
    id: field.id,
    text: 'limit' in problem ? strings.limits[problem.code](problem.limit) : strings.problems[problem.code],
  }))
  const shown = distinct([
    ...(phase === 'refused' ? found : NOTHING),
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

  /** Moves the focus to a field, or else to the message about the form. */
  const goTo = useCallback((id: string | undefined): void => {
    const control = controls(fields.current).find(({ dataset }) => dataset['field'] === id)
    ;(control ?? summary.current)?.focus()
  }, [])
  const latestRefused = useLatest(refused)
  // A page that opens with a refused form leaves the focus where it is.
  const seen = useRef(errors)
  useEffect(() => {
    if (seen.current === errors) return
    seen.current = errors
    if (latestRefused.current.length > 0) goTo(firstOf(fields.current, latestRefused.current))
  }, [errors, latestRefused, goTo])
  useEffect(() => {
    if (focus !== undefined) goTo(focus.id)
  }, [focus, goTo])

  const latest = useLatest({ onSubmit, disabled })

  const noteEdit = (id: string): void => {
    setEdits((before) => ({ ...before, [id]: [report, errors] }))
    setPhase((before) => (before === 'done' ? 'filling' : before))
  }
  const refuse = (report: Report, wrong: Report): void => {
    setReport(report)
    setPhase('refused')
    setFocus({ id: firstOf(fields.current, wrong) })
  }
  const submit = async (target: HTMLFormElement): Promise<void> => {
    const unreadable = unreadableControls(target, strings)
    if (unreadable.length > 0 || found.length > 0) return refuse(unreadable, [...unreadable, ...found])
    setReport(NOTHING)
    setPhase('checking')
    const verdict = await judgeValue(checked, collected.value)
    // It is gone.
    if (fields.current === null) return undefined
    if (verdict.result === 'invalid') {
      const wrong = reportOf(verdict.errors, collected, strings.notAccepted)
      return refuse(wrong, wrong)
    }
    const { onSubmit, disabled } = latest.current
    setPhase(disabled ? 'filling' : 'done')
    if (!disabled) onSubmit(collected.value)
    return undefined
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
        {shown.length > 0 && (
          <ErrorSummary innerRef={summary} form={form} errors={shown} strings={strings} onGo={goTo} />
        )}
        <div ref={fields} className="cs-form-fields">
          {form.kind === 'group' ? (
            <>
              <About text={form.description} />
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

interface FormModel {
  readonly form: FormField
  readonly start: FormEntries
  /** What the value is checked against. Undefined: it is too large. */
  readonly checked: JsonSchema | undefined
}

/** The form of a schema. Objects with the same content give the same form, so that one made at every render loses no entry. */
function useFormModel(schema: JsonSchema, initial: unknown): FormModel {
  const schemaText = useMemo(() => boundedText(schema), [schema])
  const initialText = useMemo(() => boundedText(initial), [initial])
  return useMemo(() => {
    const own = schemaText === undefined ? undefined : parseBoundedJson(schemaText)
    const from = initialText === undefined ? undefined : parseBoundedJson(initialText)
    const checked = isRecord(own) ? own : undefined
    const form = checked === undefined ? largeForm(from) : readForm(checked, from)
    return { form, start: startEntries(form), checked }
  }, [schemaText, initialText])
}

/** Undefined: it is nothing, no JSON, or too large. */
function boundedText(value: unknown): string | undefined {
  try {
    return value === undefined || measureJson(value, FORM_LIMITS) === undefined ? undefined : JSON.stringify(value)
  } catch {
    return undefined
  }
}

/** Errors by paths, as the agent and the validator write them, at the fields of those values. */
function reportOf(
  errors: readonly FieldError[],
  collected: CollectedValue,
  textOf: (message: string) => string,
): Report {
  return errors.slice(0, MOST_ERRORS).map(({ path, message }) => ({
    id: placeOf(collected, path),
    text: textOf(plainText(message, LONGEST_MESSAGE)),
  }))
}

/** The errors of a report whose fields were not changed since it came, nor what is inside or around them. `source` is what it was made of. */
function unchanged(report: Report, source: unknown, edits: Edits): Report {
  const changed = Object.keys(edits).filter((id) => edits[id]?.includes(source))
  return report.filter(({ id }) => !changed.some((edited) => isWithin(edited, id) || isWithin(id, edited)))
}

/** Each text once for each field. */
function distinct(errors: Report): Report {
  return errors.filter(({ id, text }, at) => errors.findIndex((other) => other.id === id && other.text === text) === at)
}

/** The control of each field, or the group of its controls. */
function controls(root: ParentNode | null): readonly HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
}

/** Of the fields of a report the one that comes first on the page. Undefined: none of them has a control. */
function firstOf(root: ParentNode | null, report: Report): string | undefined {
  return controls(root).find(({ dataset }) => report.some(({ id }) => id === dataset['field']))?.dataset['field']
}

/** Controls with something in them that the browser cannot read, so that their value is empty: `1e`, or half a date. */
function unreadableControls(root: ParentNode, { problems }: SchemaFormStrings): Report {
  return [...root.querySelectorAll<HTMLInputElement>('input[data-field]')]
    .filter(({ validity }) => validity.badInput)
    .map(({ type, dataset }) => ({
      id: dataset['field'] ?? '',
      text: problems[type === 'number' || type === 'date' ? type : 'date-time'],
    }))
}

interface ErrorSummaryProps {
  readonly innerRef: RefObject<HTMLDivElement | null>
  readonly form: FormField
  readonly errors: Report
  readonly strings: SchemaFormStrings
  /** Moves the focus to a field. */
  readonly onGo: (id: string) => void
}

/** All errors, each with a link to its field. Errors of the whole value are shown only here. */
function ErrorSummary({ innerRef, form, errors, strings, onGo }: ErrorSummaryProps): ReactNode {
  const id = useId()
  const isWhole = (error: ShownError): boolean => error.id === '' && form.kind === 'group'
  const count = new Set(errors.filter((error) => !isWhole(error)).map((error) => error.id)).size
  return (
    <div ref={innerRef} className="cs-form-summary" role="group" aria-labelledby={id} tabIndex={-1}>
      <p id={id} className="cs-strong">
        {count > 0 ? strings.summary(count) : errors[0]?.text}
      </p>
      <ul className="cs-form-wrong">
        {errors.map((error) => {
          const text = <bdi className="cs-form-text">{error.text}</bdi>
          if (isWhole(error)) return count > 0 && <li key={error.text}>{text}</li>
          return (
            <li key={`${error.id} ${error.text}`}>
              <button type="button" className="cs-button" data-kind="link" onClick={() => onGo(error.id)}>
                <Name text={fieldAt(form, error.id).label || strings.value} />
              </button>
              <span>{': '}</span>
              {text}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

/** Where drafts of forms are stored. What fails is nobody's loss but the draft's: both functions may throw or reject. */
export interface FormDrafts {
  /** The text that was written last, or undefined. */
  readonly read: (key: string) => string | undefined | Promise<string | undefined>
  /** Undefined removes it. Called with every change of the form. */
  readonly write: (key: string, text: string | undefined) => void
}

const PREFIX = 'capstan-form:'

/** Drafts in the session storage: they outlive a reload, and end with the tab. */
const tabDrafts: FormDrafts = {
  read: (key) => sessionStorage.getItem(PREFIX + key) ?? undefined,
  write(key, text) {
    if (text === undefined) sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, text)
  },
}

interface DraftOptions {
  /** Undefined: nothing is stored. */
  readonly key: string | undefined
  readonly drafts: FormDrafts
  readonly form: FormField
  readonly start: FormEntries
  readonly entries: FormEntries
  readonly setEntries: (next: (before: FormEntries) => FormEntries) => void
  /** The value was handed over, and nothing has come back or was changed since. */
  readonly isDone: boolean
}

/** Keeps what was entered over a reload or another mount, and removes it when the form goes away after it was submitted. */
function useFormDraft({ key, entries, setEntries, ...rest }: DraftOptions): void {
  const latest = useLatest(rest)
  /** The key whose draft has been read: before that nothing is written over it. */
  const known = useRef<string>(undefined)
  useEffect(() => {
    if (key === undefined) return undefined
    let isOver = false
    const bringBack = async (): Promise<void> => {
      const { drafts, form, start } = latest.current
      const text = await attempt(() => drafts.read(key))
      if (isOver) return
      known.current = key
      const kept = text === undefined ? undefined : restoredEntries(form, start, readDraft(form, text))
      // What was entered since is newer.
      if (kept !== undefined) setEntries((now) => (now === start ? kept : now))
    }
    const end = (): void => {
      const { drafts, isDone } = latest.current
      if (isDone) void attempt(() => drafts.write(key, undefined))
    }
    void bringBack()
    return () => {
      isOver = true
      known.current = undefined
      end()
    }
  }, [key, latest, setEntries])
  useEffect(() => {
    if (key === undefined || known.current !== key) return
    const { drafts, form, start } = latest.current
    const text = entries === start ? undefined : writeDraft(form, storedEntries(form, entries), start)
    void attempt(() => drafts.write(key, text))
  }, [key, latest, entries])
}

async function attempt<Value>(act: () => Value | Promise<Value>): Promise<Value | undefined> {
  try {
    return await act()
  } catch {
    return undefined
  }
}

/** Says whether a value fits a schema; undefined is one that is too large. Loads the validator, once. Never throws. */
export async function judgeValue(schema: JsonSchema | undefined, value: unknown): Promise<Verdict> {
  const measures = measureJson(value, FORM_LIMITS)
  if (schema === undefined || measures === undefined || measureJson(schema, FORM_LIMITS) === undefined)
    return { result: 'unknown' }
  try {
    const { judge } = await import('./bounded-judge.ts')
    return judge(schema, value, measures)
  } catch {
    return { result: 'unknown' }
  }
}
