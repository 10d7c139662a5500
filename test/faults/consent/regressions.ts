import type { AnyConsentSchedule } from './run-consent-schedules.ts'

/** Schedules that broke a promise, by what went wrong. */
export const regressions: readonly [title: string, schedule: AnyConsentSchedule][] = [
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
  [
    'an answer that came too late to a run that broke is not unconfirmed for ever',
    {
      seed: 19,
      log: 'memory',
      tabs: 'plain',
      asks: [{ kind: 'approval', workMs: 0, isPair: false, waits: true, expiresInMs: undefined }],
      commands: [{ kind: 'arrives', delayMs: 2000 }],
      steps: [
        { after: 1500, do: 'kill', process: 0 },
        { after: 20, do: 'show', tab: 0 },
        { after: 60, do: 'allow', tab: 0 },
        { after: 400, do: 'say', tab: 0 },
        { after: 400, do: 'kill', process: 0 },
      ],
    },
  ],
  [
    'an answer to a run whose log is lost is not unconfirmed for ever',
    {
      seed: 17569765,
      log: 'memory',
      tabs: 'plain',
      wire: 'cap',
      attempts: 1,
      asks: [{ kind: 'sign-in', workMs: 5000, isPair: false, waits: true, isDeaf: true, expiresInMs: undefined }],
      commands: [{ kind: 'lost', delayMs: 0 }],
      steps: [
        { after: 400, do: 'kill', process: 1 },
        { after: 0, do: 'elsewhere', what: 'allow' },
        { after: 150, do: 'hide', tab: 0 },
        { after: 0, do: 'cut' },
        { after: 1, do: 'elsewhere', what: 'again' },
        { after: 400, do: 'cut' },
        { after: 5000, do: 'cancel', tab: 1 },
        { after: 150, do: 'reload', tab: 1 },
        { after: 400, do: 'block', tab: 2, ms: 6000 },
      ],
    },
  ],
  [
    'JSON of something between the page and the agent does not take back the commands that the agent has announced',
    {
      seed: 1405777553,
      log: 'memory',
      tabs: 'stored',
      wire: 'cap-frames',
      attempts: 1,
      asks: [
        { kind: 'permission', workMs: 40, isPair: false, waits: true, isDeaf: false, expiresInMs: undefined },
        { kind: 'permission', expiresInMs: 1500, workMs: 5000, isPair: true, waits: true, isDeaf: false },
      ],
      commands: [
        { kind: 'doubled', delayMs: 0 },
        { kind: 'redirect', delayMs: 2000 },
      ],
      steps: [
        { after: 20, do: 'elsewhere', what: 'allow' },
        { after: 0, do: 'open' },
        { after: 150, do: 'outage', how: 'other-json', what: 'all', ms: 3000 },
        { after: 150, do: 'refuse', tab: 2 },
        { after: 150, do: 'wrong', tab: 2 },
        { after: 60, do: 'stop', tab: 2 },
        { after: 5000, do: 'outage', how: 'login-page', what: 'all', ms: 300 },
      ],
    },
  ],
  [
    'a stop of a tool that ignores its signal is confirmed when the tool has returned',
    {
      wire: 'arcp',
      seed: 1,
      leaseSeconds: 1,
      uses: 1,
      paceMs: 20,
      steps: [
        { after: 1500, do: 'grant' },
        { after: 0, do: 'stop' },
        { after: 0, do: 'grant' },
      ],
    },
  ],
  [
    'an answer reaches the job of an anonymous session that no run reads any more',
    {
      wire: 'arcp',
      seed: 1,
      leaseSeconds: 1,
      uses: 1,
      paceMs: 20,
      steps: [
        { after: 150, do: 'grant' },
        { after: 0, do: 'outage', ms: 300 },
        { after: 0, do: 'hide' },
      ],
    },
  ],
]
