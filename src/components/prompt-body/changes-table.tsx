'use client'
import type { ReactNode } from 'react'
import { usePromptStrings } from '../dictionary/prompt-strings-context.tsx'
import type { InputChanges } from './input-changes.ts'
import { literalLabel } from '../literal-value/literal-pieces.ts'
import { LiteralValue } from '../literal-value/literal-value.tsx'

const LONGEST_PATH = 120
const FIRST_CHARACTERS = 400

/** What the user changed, literally: each value as it was and as it is. */
export function ChangesTable({ changes, isCut }: InputChanges): ReactNode {
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
