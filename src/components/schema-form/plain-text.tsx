import type { ReactNode } from 'react'
import { showCode } from '../../base/text/show-hidden.ts'

const LONGEST = 2_000

/** Text of an agent as it is shown in words of ours: of a bounded length, with characters that nobody sees made visible. */
export function plainText(text: string, longest: number = LONGEST): string {
  return showCode(text.length > longest ? `${text.slice(0, longest)}…` : text)
}

/** Text of an agent beside text of ours, reading in its own direction. */
export function PlainText({ text, longest }: { readonly text: string; readonly longest?: number }): ReactNode {
  return <bdi className="cs-form-text">{plainText(text, longest)}</bdi>
}

/** Length of a name of a field or an option. */
export const LONGEST_NAME = 200
