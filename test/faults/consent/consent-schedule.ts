import fc from 'fast-check'
import { IMPOSTORS, type Impostor } from './impostors.ts'
import type { Outage } from './outages.ts'

/** What the agent asks, and what it does when it may. */
export interface AskPlan {
  readonly kind: 'approval' | 'permission' | 'choice' | 'form' | 'sign-in'
  /** Milliseconds until it expires; undefined: never. */
  readonly expiresInMs: number | undefined
  /** Milliseconds between the answer and what is done about it. */
  readonly workMs: number
  /** Two of them are asked at once. */
  readonly isPair: boolean
  /** Whether the agent waits for the answer, or ends without it. */
  readonly waits: boolean
  /** Whether its work takes no signal, so that a cancel does not end it. @default false */
  readonly isDeaf?: boolean | undefined
}

/** What becomes of one request on a control endpoint. */
export interface CommandFate {
  readonly kind: 'arrives' | 'lost' | 'answer-lost' | 'doubled' | 'refused' | Impostor
  /** Milliseconds on the way there. */
  readonly delayMs: number
}

/** One thing that happens, so many milliseconds after the one before. `tab` counts those that are open, from the oldest. */
export type ConsentStep = { readonly after: number } & (
  | { readonly do: Answering | TabAct; readonly tab: number }
  | { readonly do: 'open' | 'cut' | 'log-down' }
  | ({ readonly do: 'outage' } & Outage)
  /** A thread is busy; a server has one too. */
  | { readonly do: 'block' | 'server-block'; readonly tab: number; readonly ms: number }
  /** A process dies, and another one starts. */
  | { readonly do: 'kill'; readonly process: number }
  /** The wall clock of a tab or of all processes is set. */
  | { readonly do: 'set-clock' | 'set-server-clock'; readonly tab: number; readonly ms: number }
  /** Another device answers, or somebody who may not. */
  | { readonly do: 'elsewhere'; readonly what: Elsewhere }
)

/**
 * What happens in a tab. `stop-at-publish`: a subscriber stops the chat at its next publication. `edit`: the user asks their last
 * question again. `crash`: the tab goes without being told.
 */
export type TabAct =
  | 'send'
  | 'say'
  | 'edit'
  | 'stop'
  | 'stop-at-publish'
  | 'hide'
  | 'show'
  | 'close'
  | 'reload'
  | 'crash'

/** What a user does in a tab with the prompt it shows. */
export type Answering = 'allow' | 'edit' | 'refuse' | 'decline' | 'cancel' | 'wrong'
export type Elsewhere = 'allow' | 'decline' | 'other-digest' | 'no-digest' | 'other-option' | 'again' | 'cancel-run'

/** CAP over HTTP or over WebSocket frames, where commands carry the answers; AG-UI, where the next run carries them. */
export type WireKind = 'cap' | 'cap-frames' | 'ag-ui'

/** Everything that will happen. Plain JSON, so that a failed one can be kept. */
export interface ConsentSchedule {
  /** Latencies follow from it. */
  readonly seed: number
  /** The log of one process, or one that two processes share. */
  readonly log: 'memory' | 'shared'
  /** Chats that their page alone knows, or tabs of one browser that keeps them. */
  readonly tabs: 'plain' | 'stored'
  /** Protocol and transport. @default 'cap' */
  readonly wire?: WireKind | undefined
  /** Attempts of a connection before its run breaks. @default 6 */
  readonly attempts?: number | undefined
  /** Of each run in order; a later run begins with another. */
  readonly asks: readonly AskPlan[]
  /** One per request on a control endpoint, in order; later ones arrive. */
  readonly commands: readonly CommandFate[]
  readonly steps: readonly ConsentStep[]
}

const HOUR_MS = 3_600_000

const ask: fc.Arbitrary<AskPlan> = fc.record({
  kind: fc.constantFrom('approval', 'approval', 'approval', 'permission', 'choice', 'form', 'sign-in'),
  expiresInMs: fc.constantFrom(undefined, undefined, 400, 1500, 5000),
  workMs: fc.constantFrom(0, 40, 40, 700, 5000),
  isPair: fc.constantFrom(false, false, false, true),
  waits: fc.constantFrom(true, true, true, true, true, false),
  isDeaf: fc.constantFrom(false, false, false, true),
})

const fate: fc.Arbitrary<CommandFate> = fc.record({
  kind: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(
        'arrives',
        'arrives',
        'lost',
        'answer-lost',
        'answer-lost',
        'doubled',
        'doubled',
        'refused',
      ),
    },
    { weight: 2, arbitrary: fc.constantFrom(...IMPOSTORS) },
  ),
  delayMs: fc.constantFrom(0, 5, 5, 40, 300, 2000, 12_000),
})

const after = fc.constantFrom(0, 0, 1, 5, 20, 60, 60, 150, 150, 400, 400, 1500, 5000)
const tab = fc.nat(2)

const step: fc.Arbitrary<ConsentStep> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      after,
      do: fc.constantFrom('allow', 'allow', 'allow', 'edit', 'refuse', 'decline', 'cancel', 'wrong'),
      tab,
    }),
  },
  { weight: 3, arbitrary: fc.record({ after, do: fc.constantFrom('send', 'send', 'say', 'edit'), tab }) },
  {
    weight: 6,
    arbitrary: fc.record({
      after,
      do: fc.constantFrom('stop', 'stop', 'stop-at-publish', 'hide', 'show', 'close', 'crash', 'reload', 'reload'),
      tab,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      do: fc.constant('outage' as const),
      how: fc.constantFrom('refused', 'refused', ...IMPOSTORS),
      what: fc.constantFrom('streams', 'all'),
      ms: fc.constantFrom(300, 3000, 12_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ after, do: fc.constantFrom('open', 'cut', 'cut', 'log-down') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      do: fc.constantFrom('block', 'server-block', 'server-block'),
      tab,
      ms: fc.constantFrom(100, 600, 2000, 6000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ after, do: fc.constant('kill' as const), process: fc.nat(1) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      do: fc.constantFrom('set-clock', 'set-server-clock'),
      tab,
      ms: fc.constantFrom(-5 * HOUR_MS, -2000, 2000, 5 * HOUR_MS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      after,
      do: fc.constant('elsewhere' as const),
      what: fc.constantFrom(
        'allow',
        'allow',
        'decline',
        'other-digest',
        'other-digest',
        'no-digest',
        'other-option',
        'again',
        'again',
        'cancel-run',
      ),
    }),
  },
)

/** Everything that can happen between a question and what is done about it. */
export const consentSchedules: fc.Arbitrary<ConsentSchedule> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  log: fc.constantFrom('memory', 'shared', 'shared'),
  tabs: fc.constantFrom('plain', 'plain', 'stored'),
  wire: fc.constantFrom('cap', 'cap', 'cap', 'cap', 'cap', 'cap-frames', 'cap-frames', 'ag-ui'),
  attempts: fc.constantFrom(6, 6, 1),
  asks: fc.array(ask, { minLength: 1, maxLength: 3 }),
  commands: fc.array(fate, { maxLength: 6 }),
  steps: fc.array(step, { minLength: 1, maxLength: 10 }),
})
