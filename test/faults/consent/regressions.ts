import type { ConsentSchedule } from './consent-schedule.ts'

/** Schedules that broke a promise, by what went wrong. */
export const regressions: readonly [title: string, schedule: ConsentSchedule][] = [
  [
    'a run of an earlier page that is stopped before it is resumed is cancelled at the agent',
    {
      seed: 1,
      log: 'memory',
      tabs: 'stored',
      asks: [{ kind: 'approval', expiresInMs: undefined, workMs: 0, isPair: false, waits: true }],
      commands: [],
      steps: [
        { after: 5000, do: 'block', tab: 0, ms: 100 },
        { after: 0, do: 'reload', tab: 0 },
        { after: 0, do: 'stop', tab: 0 },
        { after: 0, do: 'allow', tab: 0 },
      ],
    },
  ],
  [
    'a prompt that was settled before is not shown as sending when the connection is given up',
    {
      seed: 976544421,
      log: 'memory',
      tabs: 'plain',
      asks: [{ kind: 'approval', expiresInMs: undefined, workMs: 0, isPair: false, waits: true }],
      commands: [{ kind: 'arrives', delayMs: 2000 }],
      steps: [
        { after: 0, do: 'reload', tab: 0 },
        { after: 5000, do: 'reload', tab: 0 },
        { after: 60, do: 'kill', process: 0 },
        { after: 1500, do: 'kill', process: 0 },
        { after: 0, do: 'allow', tab: 0 },
        { after: 150, do: 'elsewhere', what: 'allow' },
      ],
    },
  ],
  [
    'a stop behind a word, in a tab that does not lead, stops the run that is shown',
    {
      seed: 28081129,
      log: 'memory',
      tabs: 'stored',
      asks: [{ kind: 'approval', expiresInMs: undefined, workMs: 0, isPair: false, waits: true }],
      commands: [],
      steps: [
        { after: 0, do: 'open' },
        { after: 150, do: 'say', tab: 1 },
        { after: 0, do: 'stop', tab: 1 },
        { after: 150, do: 'allow', tab: 0 },
        { after: 0, do: 'open' },
      ],
    },
  ],
  [
    'a run that was restored before its connection was counted is cancelled at its agent, not only shown as cancelled',
    {
      seed: 30,
      log: 'memory',
      tabs: 'stored',
      asks: [{ kind: 'approval', expiresInMs: undefined, workMs: 0, isPair: false, waits: true }],
      commands: [{ kind: 'lost', delayMs: 0 }],
      steps: [
        { after: 1500, do: 'close', tab: 0 },
        { after: 0, do: 'open' },
        { after: 0, do: 'stop', tab: 0 },
        { after: 0, do: 'open' },
        { after: 0, do: 'elsewhere', what: 'allow' },
      ],
    },
  ],
  [
    'a stop that is performed again after its tab was hidden does not say that the agent has confirmed it',
    {
      seed: 1,
      log: 'memory',
      tabs: 'stored',
      asks: [
        { kind: 'approval', expiresInMs: undefined, workMs: 0, isPair: true, waits: true },
        { kind: 'approval', expiresInMs: undefined, workMs: 0, isPair: false, waits: true },
      ],
      commands: [
        { kind: 'arrives', delayMs: 12_000 },
        { kind: 'arrives', delayMs: 2_000 },
      ],
      steps: [
        { after: 150, do: 'set-clock', tab: 0, ms: -18_000_000 },
        { after: 400, do: 'cut' },
        { after: 1500, do: 'allow', tab: 0 },
        { after: 0, do: 'stop', tab: 0 },
        { after: 0, do: 'hide', tab: 0 },
        { after: 0, do: 'elsewhere', what: 'allow' },
      ],
    },
  ],
]
