import type { Prompt } from '../../src/seam/prompt.ts'

/** An approval as an agent asks for it. */
export function promptOf(changes: Partial<Prompt> = {}): Prompt {
  return {
    id: 'p1',
    streamId: 's1',
    kind: 'approval',
    message: 'May I send the mail?',
    options: [
      { id: 'yes', label: 'Allow', kind: 'allow-once' },
      { id: 'no', label: 'Refuse', kind: 'reject-once' },
    ],
    onExpiry: 'cancel',
    answeredBy: 'command',
    state: 'open',
    ...changes,
  }
}
