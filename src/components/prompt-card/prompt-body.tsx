'use client'
import type { ReactNode } from 'react'
import type { PromptBodyProps } from '../internals/prompt-body-props.ts'
import { ApprovalCard } from '../prompt-body/approval-card.tsx'
import { ChoiceCard } from '../prompt-body/choice-card.tsx'
import { FormPrompt } from '../prompt-body/form-prompt.tsx'
import { PermissionPrompt } from '../prompt-body/permission-prompt.tsx'
import { SignInCard } from '../prompt-body/sign-in-card.tsx'
import { UnknownPrompt } from '../prompt-body/unknown-prompt.tsx'

const BODIES = {
  approval: ApprovalCard,
  choice: ChoiceCard,
  form: FormPrompt,
  'sign-in': SignInCard,
  permission: PermissionPrompt,
  other: UnknownPrompt,
}

/** What the user decides with, by the kind of the prompt. What was begun for one subject never ends as an answer to another. */
export function PromptBody(props: PromptBodyProps): ReactNode {
  const { id, kind, subject } = props.controls.prompt
  const Body = BODIES[kind]
  return <Body key={subject?.digest ?? id} {...props} />
}
