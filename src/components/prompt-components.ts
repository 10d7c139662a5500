import type { ComponentType } from 'react'
import type { Lease } from '../seam/lease.ts'
import type { Prompt } from '../seam/prompt.ts'
import { LeaseList, LeaseTrace } from './lease-badge.tsx'
import { PromptDock } from './prompt-dock.tsx'
import { PromptTrace } from './prompt-trace.tsx'

/** The components of prompts, loaded together. */
export interface PromptComponents {
  readonly Dock: ComponentType
  readonly Trace: ComponentType<{ readonly prompt: Prompt; readonly 'aria-hidden'?: true | undefined }>
  readonly Leases: ComponentType
  readonly LeaseTrace: ComponentType<{ readonly lease: Lease }>
}

export const promptComponents: PromptComponents = {
  Dock: PromptDock,
  Trace: PromptTrace,
  Leases: LeaseList,
  LeaseTrace,
}
