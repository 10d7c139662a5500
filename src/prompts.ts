'use client'
export { PromptCard, type PromptCardProps } from './components/prompt-card/prompt-card.tsx'
export { PromptDock, type PromptDockProps } from './components/prompt-dock/prompt-dock.tsx'
export { PromptTrace, type PromptTraceProps } from './components/prompt-trace/prompt-trace.tsx'
export { arabicPrompts } from './components/prompt-strings/arabic-prompts.ts'
export { chinesePrompts } from './components/prompt-strings/chinese-prompts.ts'
export { englishPrompts } from './components/prompt-strings/english-prompts.ts'
export { germanPrompts } from './components/prompt-strings/german-prompts.ts'
export type {
  PromptCardStrings,
  PromptDockStrings,
  PromptStrings,
  PromptTraceStrings,
} from './components/prompt-strings/prompt-strings.ts'
export {
  PromptStringsProvider,
  type PromptStringsProviderProps,
  usePromptStrings,
} from './components/prompt-strings/prompt-strings-context.tsx'
