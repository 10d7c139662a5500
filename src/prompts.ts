'use client'
export { ApprovalCard, type ApprovalCardProps } from './components/prompt-body/approval-card.tsx'
export { ChoiceCard, type ChoiceCardProps } from './components/prompt-body/choice-card.tsx'
export { FormPrompt, type FormPromptProps } from './components/prompt-body/form-prompt.tsx'
export { PermissionPrompt, type PermissionPromptProps } from './components/prompt-body/permission-prompt.tsx'
export { SignInCard, type SignInCardProps } from './components/prompt-body/sign-in-card.tsx'
export { UnknownPrompt, type UnknownPromptProps } from './components/prompt-body/unknown-prompt.tsx'
export type { DecisionProps } from './components/prompt-body/decision-root.tsx'
export type { PromptBodyProps } from './components/internals/prompt-body-props.ts'
export { LeaseBadge, type LeaseBadgeProps, type LeaseBadgeStatus } from './components/lease-badge/lease-badge.tsx'
export { LeaseList, type LeaseListProps } from './components/lease-list/lease-list.tsx'
export { PromptCard, type PromptCardProps } from './components/prompt-card/prompt-card.tsx'
export { PromptDock, type PromptDockProps } from './components/prompt-dock/prompt-dock.tsx'
export { PromptTrace, type PromptTraceProps } from './components/prompt-trace/prompt-trace.tsx'
export { type FormDrafts } from './components/schema-form/form-drafts.ts'
export type { SchemaFormProps, SchemaFormStatus } from './components/schema-form/form-body.tsx'
export { SchemaForm } from './components/schema-form/schema-form.tsx'
export { arabicForm } from './components/form-strings/arabic-form.ts'
export { chineseForm } from './components/form-strings/chinese-form.ts'
export { germanForm } from './components/form-strings/german-form.ts'
export { englishForm } from './components/form-strings/english-form.ts'
export type { SchemaFormStrings } from './components/form-strings/schema-form-strings.ts'
export { arabicPrompts } from './components/prompt-strings/arabic-prompts.ts'
export { chinesePrompts } from './components/prompt-strings/chinese-prompts.ts'
export { englishPrompts } from './components/prompt-strings/english-prompts.ts'
export { germanPrompts } from './components/prompt-strings/german-prompts.ts'
export type {
  ApprovalStrings,
  ChoiceStrings,
  LeaseStrings,
  PermissionStrings,
  PromptCardStrings,
  PromptDockStrings,
  PromptStrings,
  PromptTraceStrings,
  SignInStrings,
  UnknownStrings,
} from './components/prompt-strings/prompt-strings.ts'
export {
  PromptStringsProvider,
  type PromptStringsProviderProps,
  usePromptStrings,
} from './components/language-pack/prompt-strings-context.tsx'
