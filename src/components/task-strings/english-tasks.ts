import { number, plural } from '../dictionary/english-measures.ts'
import type { TaskStrings } from './task-strings.ts'

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
      invalid: 'Invalid signature',
    },
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
