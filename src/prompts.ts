'use client'
export { ApprovalCard, type ApprovalCardProps } from './components/prompt-body/approval-card.tsx'
export { ChoiceCard, type ChoiceCardProps } from './components/prompt-body/choice-card.tsx'
export {
  FormPrompt,
  type FormPromptProps,
  UnknownPrompt,
  type UnknownPromptProps,
} from './components/prompt-body/form-prompt.tsx'
export { PermissionPrompt, type PermissionPromptProps } from './components/prompt-body/permission-prompt.tsx'
export { SignInCard, type SignInCardProps } from './components/prompt-body/sign-in-card.tsx'
export type { DecisionProps, PromptBodyProps } from './components/prompt-body/decision.tsx'
export {
  LeaseBadge,
  type LeaseBadgeProps,
  type LeaseBadgeStatus,
  LeaseList,
  type LeaseListProps,
} from './components/lease-badge.tsx'
export { PromptCard, type PromptCardProps } from './components/prompt-card.tsx'
export { PromptDock, type PromptDockProps } from './components/prompt-dock.tsx'
export { PromptTrace, type PromptTraceProps } from './components/prompt-trace.tsx'
export type { FormDrafts, SchemaFormProps, SchemaFormStatus } from './components/schema-form/form-body.tsx'
export { SchemaForm } from './components/schema-form/schema-form.tsx'
export { arabicForm } from './strings/arabic-pack.ts'
export { chineseForm } from './strings/chinese-pack.ts'
export { germanForm } from './strings/german-pack.ts'
export { englishForm } from './strings/form.ts'
export type { SchemaFormStrings } from './strings/form.ts'
export { arabicPrompts } from './strings/arabic-pack.ts'
export { chinesePrompts } from './strings/chinese-pack.ts'
export { englishPrompts } from './strings/prompts.ts'
export { germanPrompts } from './strings/german-pack.ts'
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
} from './strings/prompts.ts'
export {
  PromptStringsProvider,
  type PromptStringsProviderProps,
  usePromptStrings,
} from './components/dictionary/prompt-strings-context.tsx'
