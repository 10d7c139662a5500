import type { ComponentType } from 'react'
import type { Lease } from '../../seam/lease.ts'
import type { Prompt } from '../../seam/prompt.ts'
import { onDemand } from '../on-demand/on-demand.ts'

/** The components of prompts, once their code is loaded. */
export interface PromptComponents {
  readonly Dock: ComponentType
  readonly Trace: ComponentType<{ readonly prompt: Prompt; readonly 'aria-hidden'?: true | undefined }>
  readonly Leases: ComponentType
  readonly LeaseTrace: ComponentType<{ readonly lease: Lease }>
}

/** The code of prompts. A chat loads it when a run starts: the prompt may come after the connection was lost. */
export const promptCode = onDemand(
  async (): Promise<PromptComponents> => (await import('./prompt-components.ts')).promptComponents,
)
