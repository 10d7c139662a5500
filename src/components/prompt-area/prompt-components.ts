import { LeaseList, LeaseTrace } from '../lease-list/lease-list.tsx'
import { PromptDock } from '../prompt-dock/prompt-dock.tsx'
import { PromptTrace } from '../prompt-trace/prompt-trace.tsx'
import type { PromptComponents } from './lazy-prompts.ts'

export const promptComponents: PromptComponents = {
  Dock: PromptDock,
  Trace: PromptTrace,
  Leases: LeaseList,
  LeaseTrace,
}
