import type { TaskStatus } from '../seam/agent-event.ts'
import { number, plural } from './english-measures.ts'

/** Words of tasks, artifacts and agent cards. */
export interface TaskStrings {
  /** What each state is called; `unfinished`: nothing more comes of a task that had not ended. */
  readonly status: Readonly<Record<TaskStatus | 'unfinished', string>>
  readonly card: {
    /** Name of a task that has none. */
    readonly title: string
    readonly stop: string
    /** The agent was asked to stop and has not confirmed yet. */
    readonly stopping: string
    /** Accessible name of the list of the tasks that a task is made of. */
    readonly parts: string
  }
  readonly artifact: {
    /** Opens the whole artifact. */
    readonly view: string
    readonly close: string
    /** Accessible name of what is shown of it. */
    readonly content: string
    /** Before the choice of a version. */
    readonly version: string
    readonly latest: (version: number) => string
    readonly earlier: (version: number) => string
    /** It has nothing that can be shown here. */
    readonly noPreview: string
  }
  readonly agent: {
    readonly version: (version: string) => string
    readonly signature: Readonly<Record<'unsigned' | 'unknown-key' | 'valid' | 'partly-signed' | 'invalid', string>>
    /** Names the parts of the card that its signature does not cover. */
    readonly notCovered: (parts: readonly string[]) => string
    readonly skills: string
    /** Accessible name of the examples of a skill. */
    readonly examples: (skill: string) => string
    readonly moreSkills: (count: number) => string
    readonly capabilities: string
    readonly streaming: string
    readonly push: string
    readonly extendedCard: string
    readonly details: string
    readonly input: string
    readonly output: string
    readonly security: string
    readonly apiKey: string
    readonly interfaces: string
    readonly extensions: string
    /** The agent works only with clients that know the extension. */
    readonly required: string
    readonly documentation: string
  }
}

/** The strings of tasks in English. */
export const englishTasks: TaskStrings = {
  status: {
    submitted: 'Submitted',
    working: 'Working',
    'input-required': 'Input needed',
    'auth-required': 'Sign-in needed',
    completed: 'Completed',
    canceled: 'Cancelled',
    failed: 'Failed',
    rejected: 'Declined by the assistant',
    unknown: 'Unknown state',
    unfinished: 'Not finished',
  },
  card: { title: 'Task', stop: 'Stop task', stopping: 'Stopping…', parts: 'Subtasks' },
  artifact: {
    view: 'View',
    close: 'Close',
    content: 'Content',
    version: 'Version',
    latest: (version) => `${number(version)} (latest)`,
    earlier: number,
    noPreview: 'No preview available',
  },
  agent: {
    version: (version) => `version ${version}`,
    signature: {
      unsigned: 'Not signed',
      'unknown-key': 'Signature not verified',
      valid: 'Signature verified',
      'partly-signed': 'Partly signed',
      invalid: 'Invalid signature',
    },
    notCovered: (parts) => `Not covered by the signature: ${parts.join(', ')}`,
    skills: 'Skills',
    examples: (skill) => `Examples: ${skill}`,
    moreSkills: (count) => plural(count, { one: 'Show # more skill', other: 'Show # more skills' }),
    capabilities: 'Capabilities',
    streaming: 'Streaming',
    push: 'Push notifications',
    extendedCard: 'More details after sign-in',
    details: 'Technical details',
    input: 'Input types',
    output: 'Output types',
    security: 'Sign-in methods',
    apiKey: 'API key',
    interfaces: 'Interfaces',
    extensions: 'Extensions',
    required: 'required',
    documentation: 'Documentation',
  },
}
