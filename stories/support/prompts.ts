import type { Prompt, PromptOption } from '../../src/seam/prompt.ts'

/** An option of a prompt. */
export function optionOf(kind: PromptOption['kind'], label: string, change: Partial<PromptOption> = {}): PromptOption {
  return { id: label, label, kind, ...change }
}

/** A prompt that waits for the user. */
export function promptOf(change: Partial<Prompt> = {}): Prompt {
  return {
    id: 'p-1',
    streamId: 's-1',
    kind: 'approval',
    message: 'May I send this mail?',
    onExpiry: 'unknown',
    answeredBy: 'command',
    state: 'open',
    ...change,
  }
}

const MAIL = {
  name: 'send_mail',
  input: {
    to: 'office@example.org',
    subject: 'Gauges',
    urgent: false,
    notes: ['Gauge 12 is back.', 'Gauge 27 is not.'],
  },
  digest: 'd-mail',
}

/** One prompt of each kind, as an agent asks them. */
export const PROMPTS = {
  approval: promptOf({
    subject: MAIL,
    options: [
      optionOf('allow-once', 'Allow'),
      optionOf('allow-always', 'Always', { grants: 'Mails to addresses of example.org', ttlMs: 3_600_000 }),
      optionOf('reject-once', 'Deny'),
    ],
  }),
  choice: promptOf({
    kind: 'choice',
    message: 'Which weir do you mean?',
    options: [
      optionOf('neutral', 'Lower weir', { description: 'Sheet 14, four lakes' }),
      optionOf('neutral', 'Upper weir', { description: 'Sheet 9, one lake' }),
    ],
  }),
  form: promptOf({
    kind: 'form',
    message: 'Two gauges have no width. What should I use?',
    schema: {
      type: 'object',
      properties: {
        gauge12: { type: 'number', title: 'Gauge 12, metres', minimum: 0 },
        gauge27: { type: 'number', title: 'Gauge 27, metres', minimum: 0 },
      },
      required: ['gauge12'],
    },
  }),
  signIn: promptOf({
    kind: 'sign-in',
    message: 'Sign in to the survey.',
    url: 'https://survey.example/login?from=agent',
  }),
  permission: promptOf({
    kind: 'permission',
    message: 'Allow writing to /reports/lower-reach?',
    subject: {
      name: 'fs.write',
      input: { resource: '/reports/lower-reach', reason: 'Save the table beside gauges.csv.' },
      digest: 'd-write',
    },
    options: [
      optionOf('allow-always', 'Until I revoke it', { id: 'always' }),
      optionOf('allow-always', '15 minutes', { id: 'quarter', ttlMs: 900_000 }),
      optionOf('allow-once', 'Once', { id: 'once' }),
      optionOf('reject-once', 'Deny', { id: 'deny' }),
    ],
  }),
  unknown: promptOf({
    kind: 'other',
    message: 'Draw the outline of the lake.',
    schema: { type: 'drawing', strokes: { maximum: 12 } },
  }),
} as const satisfies Readonly<Record<string, Prompt>>
