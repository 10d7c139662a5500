'use client'
import type { ReactNode } from 'react'
import { useMemo, useState } from 'react'
import { isJsonObject } from '../../base/json-object.ts'
import type { PromptSubject } from '../../seam/prompt.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import { firstEntries } from './bounded-text.ts'
import { literalLabel } from './literal-pieces.ts'
import { LiteralValue } from './literal-value.tsx'

/** Characters of one value, and of all values together, that are shown at first. */
const MOST_OF_VALUE = 2_000
const MOST_OF_ALL = 8_000
const FIRST_ROWS = 20
const LONGEST_KEY = 120

interface SubjectTableProps {
  readonly subject: PromptSubject
  /** Label of the name of the subject. */
  readonly label: string
  /** Labels of keys that the app knows. The others are shown as they are. */
  readonly keys?: Readonly<Record<string, string>> | undefined
}

/** What is to be done, literally: its name and each value of its input, as a list of keys and values. */
export function SubjectTable({ subject: { name, input }, label, keys = {} }: SubjectTableProps): ReactNode {
  const strings = usePromptStrings().approval
  const { showMore } = useDictionary().data
  const [rows, setRows] = useState(FIRST_ROWS)
  const { entries, isCut } = useMemo(() => entriesOf(input, rows), [input, rows])
  const limit = Math.min(MOST_OF_VALUE, Math.ceil(MOST_OF_ALL / Math.max(1, entries.length)))
  return (
    <>
      <dl className="cs-subject">
        <Row label={label} value={name} limit={MOST_OF_VALUE} />
        {entries.map(([key, value]) => (
          <Row
            key={key}
            label={Object.hasOwn(keys, key) ? keys[key] : key === '' ? strings.input : undefined}
            literalKey={key}
            value={value}
            limit={limit}
          />
        ))}
      </dl>
      {entries.length === 0 && <p className="cs-cut">{strings.noInput}</p>}
      {isCut && (
        <p className="cs-cut">
          <span>{`${strings.cut} `}</span>
          <button type="button" className="cs-button" data-kind="link" onClick={() => setRows(rows + FIRST_ROWS)}>
            {showMore}
          </button>
        </p>
      )}
    </>
  )
}

interface RowProps {
  readonly label: string | undefined
  readonly literalKey?: string
  readonly value: unknown
  readonly limit: number
}

function Row({ label, literalKey = '', value, limit }: RowProps): ReactNode {
  return (
    <div className="cs-subject-row">
      <dt className="cs-subject-key">
        {label ?? <bdi className="cs-subject-name">{literalLabel(literalKey, LONGEST_KEY)}</bdi>}
      </dt>
      <dd className="cs-subject-value">
        <LiteralValue value={value} limit={limit} />
      </dd>
    </div>
  )
}

/** Of an input that is no object one entry without a key. */
function entriesOf(input: unknown, rows: number): ReturnType<typeof firstEntries> {
  if (isJsonObject(input)) return firstEntries(input, rows)
  return { entries: input === undefined ? [] : [['', input]], isCut: false }
}
