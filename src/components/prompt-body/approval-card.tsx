'use client'

import { type ReactNode, forwardRef, useImperativeHandle, useRef, useMemo, useState } from 'react'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { type DecisionProps, DecisionRoot, useDecision } from './decision.tsx'
import { GrantStep } from './grant-step.tsx'
import { OptionButtons } from './option-buttons.tsx'
import { SubjectTable, LiteralValue, literalLabel } from '../literal-value.tsx'
import type { FieldError, JsonSchema, PromptSubject } from '../../seam/prompt.ts'
import { SchemaForm } from '../schema-form/schema-form.tsx'
import { MAX_DEPTH } from '../../base/bounded-json.ts'
import { isJsonObject, type JsonObject } from '../../base/json-object.ts'

/** A value that differs. Undefined: it is not there. */
interface InputChange {
  /** Where it is: `notes[1].text`; empty for the whole. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

interface InputChanges {
  readonly changes: readonly InputChange[]
  /** Whether there may be more. */
  readonly isCut: boolean
}

/** Values that are compared. A form has fewer; an input may have any number. */
const MOST_VALUES = 20_000

/** What differs between two JSON values, the first `limit` of it. */
export function inputChanges(before: unknown, after: unknown, limit: number): InputChanges {
  const changes: InputChange[] = []
  let left = MOST_VALUES
  let isCut = false
  function compare(path: string, was: unknown, is: unknown, depth: number): void {
    if (Object.is(was, is) || isCut) return
    if (--left < 0 || depth > MAX_DEPTH || changes.length === limit) {
      isCut = true
    } else if (Array.isArray(was) && Array.isArray(is)) {
      for (let index = 0; index < Math.max(was.length, is.length) && !isCut; index++)
        compare(`${path}[${index}]`, was[index], is[index], depth + 1)
    } else if (isJsonObject(was) && isJsonObject(is)) {
      for (const key in { ...was, ...is }) {
        if (isCut) return
        compare(path === '' ? key : `${path}.${key}`, valueAt(was, key), valueAt(is, key), depth + 1)
      }
    } else changes.push({ path, before: was, after: is })
  }
  compare('', before, after, 0)
  return { changes, isCut }
}

function valueAt(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** The initial value of the form for `editable`: the listed properties of the input. */
export function editablePart(input: unknown, editable: JsonSchema): unknown {
  const listed = editable['properties']
  if (!isJsonObject(input) || !isJsonObject(listed)) return input
  return Object.fromEntries(Object.entries(input).filter(([key]) => Object.hasOwn(listed, key)))
}

/** The input with the values of a form: what the form does not ask for stays as it was. */
export function withEdits(input: unknown, editable: JsonSchema, value: unknown): unknown {
  const listed = editable['properties']
  if (!isJsonObject(input) || !isJsonObject(listed) || !isJsonObject(value)) return value
  const kept = Object.entries(input).filter(([key]) => !Object.hasOwn(listed, key))
  return { ...value, ...Object.fromEntries(kept) }
}

const LONGEST_PATH = 120
const FIRST_CHARACTERS = 400

/** What the user changed, literally: each value as it was and as it is. */
function ChangesTable({ changes, isCut }: InputChanges): ReactNode {
  const strings = usePromptStrings().approval
  return (
    <div className="cs-grant">
      <p className="cs-strong">{strings.changes}</p>
      <dl className="cs-subject">
        {changes.map(({ path, before, after }) => (
          <div key={path} className="cs-subject-row">
            <dt className="cs-subject-key">
              {path === '' ? strings.input : <bdi className="cs-subject-name">{literalLabel(path, LONGEST_PATH)}</bdi>}
            </dt>
            <dd className="cs-subject-value">
              <del className="cs-change">
                <Side label={strings.before} value={before} absent={strings.absent} />
              </del>
              <ins className="cs-change">
                <Side label={strings.after} value={after} absent={strings.absent} />
              </ins>
            </dd>
          </div>
        ))}
      </dl>
      {isCut && <p className="cs-cut">{strings.cut}</p>}
    </div>
  )
}

interface SideProps {
  readonly label: string
  readonly value: unknown
  /** In place of a value that is not there. */
  readonly absent: string
}

function Side({ label, value, absent }: SideProps): ReactNode {
  return (
    <>
      <span className="cs-change-label">{`${label} `}</span>
      {value === undefined ? (
        <span className="cs-dim">{absent}</span>
      ) : (
        <LiteralValue value={value} limit={FIRST_CHARACTERS} />
      )}
    </>
  )
}

const MOST_CHANGES = 50

/** The input of a subject as the user changes it. */
interface InputEdits {
  /** The input as it will be used. */
  readonly input: unknown
  /** The input as it was changed. Undefined: it is as the agent asked for it. */
  readonly edits: unknown
  /** What was changed. Undefined: nothing. */
  readonly changes: InputChanges | undefined
  readonly isEditing: boolean
  begin(): void
  /** Ends without taking over what was entered. */
  leave(): void
  /** Takes over what was entered. */
  take(input: unknown): void
  discard(): void
}

function useEdits(subject: PromptSubject | undefined): InputEdits {
  const [step, setStep] = useState<'seen' | 'editing'>('seen')
  const [edited, setEdited] = useState<{ readonly input: unknown }>()
  const before = subject?.input
  const changes = useMemo(
    () => (edited === undefined ? undefined : inputChanges(before, edited.input, MOST_CHANGES)),
    [before, edited],
  )
  const isChanged = changes !== undefined && (changes.changes.length > 0 || changes.isCut)
  return {
    input: isChanged ? edited?.input : before,
    edits: isChanged ? edited?.input : undefined,
    changes: isChanged ? changes : undefined,
    isEditing: step === 'editing' && subject?.editable !== undefined,
    begin: () => setStep('editing'),
    leave: () => setStep('seen'),
    take(input) {
      setEdited({ input })
      setStep('seen')
    },
    discard: () => setEdited(undefined),
  }
}

export interface ApprovalCardProps extends DecisionProps {}

/**
 * Renders a `<div>`: the agent's intended action, literally, and a button for each option. The app words the effect of a button, and
 * what the agent calls it beside that. An option that allows more than this one time shows what it grants before it can be taken. What may be
 * changed in the input is a form; the changes are shown as it was and as it is, and only then can they be allowed.
 *
 * @example
 * ```tsx
 * import { usePrompt } from 'capstan/react'
 * import { ApprovalCard } from 'capstan/components'
 *
 * export function Approval({ id }: { id: string }) {
 *   const controls = usePrompt(id)
 *   return controls && <ApprovalCard controls={controls} isReady isSending={false} decline={null} />
 * }
 * ```
 */
export const ApprovalCard = forwardRef<HTMLDivElement, ApprovalCardProps>(function ApprovalCard(props, ref): ReactNode {
  const { controls, decline } = props
  const strings = usePromptStrings().approval
  const { subject, options = [], errors } = controls.prompt
  const { input, edits, changes, ...editing } = useEdits(subject)
  const decision = useDecision(props, edits)
  const root = useRef<HTMLDivElement>(null)
  // It is there whenever somebody reads the ref.
  useImperativeHandle(ref, () => root.current as HTMLDivElement)
  /** What had the focus is removed. */
  const keepFocus = (): void => root.current?.focus({ preventScroll: true })
  if (editing.isEditing && subject?.editable) {
    return (
      <DecisionRoot {...props} ref={root}>
        <InputEditor
          editable={subject.editable}
          input={input}
          errors={errors}
          onEdit={(value) => {
            keepFocus()
            editing.take(value)
          }}
          onCancel={() => {
            keepFocus()
            editing.leave()
          }}
        />
      </DecisionRoot>
    )
  }
  return (
    <DecisionRoot {...props} ref={root}>
      {subject && <SubjectTable subject={{ ...subject, input }} label={strings.action} />}
      {changes && <ChangesTable {...changes} />}
      {decision.asked ? (
        <GrantStep option={decision.asked} decision={decision} />
      ) : (
        <>
          {subject?.editable && (
            <p className="cs-edits">
              <button
                type="button"
                className="cs-button"
                data-kind="link"
                onClick={() => {
                  keepFocus()
                  editing.begin()
                }}
              >
                {strings.edit}
              </button>
              {changes && (
                <button
                  type="button"
                  className="cs-button"
                  data-kind="link"
                  onClick={() => {
                    keepFocus()
                    editing.discard()
                  }}
                >
                  {strings.discard}
                </button>
              )}
            </p>
          )}
          <OptionButtons options={options} onTake={decision.take}>
            {decline}
          </OptionButtons>
        </>
      )}
    </DecisionRoot>
  )
})

interface InputEditorProps {
  readonly editable: JsonSchema
  readonly input: unknown
  /** What the agent refused of the last edits. */
  readonly errors: readonly FieldError[] | undefined
  /** The user is done: nothing is sent yet. */
  readonly onEdit: (input: unknown) => void
  readonly onCancel: () => void
}

/** A form with what may be changed in an input. */
function InputEditor({ editable, input, errors, onEdit, onCancel }: InputEditorProps): ReactNode {
  const strings = usePromptStrings().approval
  const initial = useMemo(() => editablePart(input, editable), [input, editable])
  return (
    <SchemaForm
      className="cs-input-editor"
      schema={editable}
      initial={initial}
      errors={errors}
      submitLabel={strings.review}
      onSubmit={(value) => onEdit(withEdits(input, editable, value))}
      onCancel={onCancel}
    />
  )
}
