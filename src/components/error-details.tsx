'use client'

import type { ReactNode } from 'react'
import { capMarks } from '../base/cap-marks.ts'
import { useDictionary } from './dictionary/dictionary-context.tsx'
import { FoldSummary } from './internals/folding.tsx'
import type { AgentError, ErrorCode } from '../base/agent-error.ts'
import type { Dictionary } from '../strings/dictionary.ts'
import type { IconName } from './internals/icon.tsx'
import type { ErrorWords } from '../strings/error-messages.ts'

interface ErrorDetailsProps {
  /** Default: the dictionary's label for the details of an error. */
  readonly label?: string | undefined
  /** Codes and numbers to quote to the operator of the agent; absent ones are omitted. */
  readonly facts: readonly (string | number | undefined)[]
  /** The sentence that came with the error, shown as text whatever is in it. */
  readonly said?: string | undefined
  readonly children?: ReactNode
}

/** What support asks for, folded. */
export function ErrorDetails({ label, facts, said, children }: ErrorDetailsProps): ReactNode {
  const strings = useDictionary().error
  const codes = facts.filter((fact) => fact !== undefined && fact !== '').join(' · ')
  return (
    <details className="cs-fold cs-error-details">
      <FoldSummary label={label ?? strings.details} />
      <div className="cs-fold-body">
        {codes && <p className="cs-code-id">{capMarks(codes)}</p>}
        {said && (
          <p className="cs-error-said" dir="auto">
            {capMarks(shorten(said, 2000))}
          </p>
        )}
        {children}
      </div>
    </details>
  )
}

/** What people read about a failure, and what they can do about it. */
export interface ErrorDescription extends ErrorWords {
  readonly icon: IconName
  /** The step that helps most. `none`: nothing the user can do here. */
  readonly action: 'sign-in' | 'request-access' | 'try-again' | 'none'
}

/** Codes of agents and statuses of servers that mean the same as a code of ours. Anything may be in `agentCode`, so this is not a plain object. */
const SAME: ReadonlyMap<string | number | undefined, ErrorCode> = new Map<string | number, ErrorCode>([
  ['auth_failed', 'unauthorized'],
  ['unauthorized', 'unauthorized'],
  ['forbidden', 'forbidden'],
  ['rate_limit_exceeded', 'rate_limited'],
  ['answer_too_large', 'response_too_large'],
  ['model_output_limit', 'response_too_large'],
  ['upstream_restarted', 'restarted'],
  ['upstream_lost', 'truncated'],
  ['server_stopping', 'truncated'],
  ['run_interrupted', 'truncated'],
  ['model_rate_limited', 'rate_limited'],
  ['model_unauthorized', 'invalid_config'],
  ['model_request_rejected', 'invalid_config'],
  ['model_context_too_long', 'invalid_request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [429, 'rate_limited'],
])

/** Where the step is not "try again", or the glyph not that of a failure. */
const LOOKS: Readonly<
  Partial<Record<ErrorCode, { readonly action?: ErrorDescription['action']; readonly icon?: IconName }>>
> = {
  unauthorized: { action: 'sign-in' },
  forbidden: { action: 'request-access', icon: 'lock' },
  not_found: { action: 'none' },
  invalid_request: { action: 'none' },
  invalid_config: { action: 'none' },
  busy: { action: 'none', icon: 'info' },
  rate_limited: { icon: 'clock' },
  timeout: { icon: 'clock' },
  network_error: { icon: 'cut' },
  truncated: { icon: 'cut' },
  delivery_unknown: { icon: 'cut' },
}

/** What the host's table has for an error: under the agent's code, as written or in lower case, else under ours. */
export function findByCode<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  { agentCode = '' }: AgentError,
  code?: ErrorCode,
): Value | undefined {
  const name =
    table &&
    [agentCode, agentCode.toLowerCase(), code].find((known) => known !== undefined && Object.hasOwn(table, known))
  return name === undefined ? undefined : table?.[name]
}

/** The code an error goes by: ours, or the one of ours that the agent's code or the status stands for. */
export function messageCodeOf({ agentCode, status, code }: AgentError): ErrorCode {
  return SAME.get(agentCode?.toLowerCase()) ?? SAME.get(status) ?? code
}

/**
 * The headline and next step of an error, by its code. The texts are those of the dictionary:
 * `agentErrorMessages` by `agentCode`, else `errorMessages` by `code`. The agent's own sentence is
 * never the headline. `attempts`: how many requests were made, when that is known.
 */
export function describeError(error: AgentError, strings: Dictionary, attempts = 0): ErrorDescription {
  const code = messageCodeOf(error)
  const message = findByCode(strings.agentErrorMessages, error) ?? strings.errorMessages[code]
  const { title, text } = typeof message === 'function' ? message(error, attempts) : message
  return { title, text: shorten(text, 300), icon: 'fatal', action: 'try-again', ...LOOKS[code] }
}

/** Plain text of strangers, cut at a length people still read; never in the middle of a letter. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')}…` : text
}
