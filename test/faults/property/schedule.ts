import fc from 'fast-check'
import type { AgentPlan, Aside } from './truth.ts'

/** `taken`: it arrives. `lost`: it arrives, and its answer is lost. `refused`: it does not, for the moment. */
export type CommandPlan = 'taken' | 'lost' | 'refused'

/** How the answer to one POST leaves the server. */
export type ConnectionPlan =
  | { readonly kind: 'refused' | 'answer-lost' | 'mute' | 'empty' | 'page' | 'conflict' }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number | undefined }
  | StreamPlan

export interface StreamPlan {
  readonly kind: 'stream'
  /** The server lost its log and begins again under new stream ids. */
  readonly restarts: boolean
  /** Packets the replay goes back behind what was sent before; undefined: to the very start. */
  readonly overlap: number | undefined
  readonly twist: Twist | undefined
  readonly end: ConnectionEnd | undefined
  /** Bytes per chunk; 0: all that is due comes as one. */
  readonly pieces: number
  readonly latencyMs: number
  /** Comments every ten seconds. */
  readonly beats: boolean
}

/** What is wrong with the packets themselves; places are counted on this connection. */
export type Twist =
  | { readonly type: 'gap'; readonly after: number; readonly count: number }
  | { readonly type: 'swap'; readonly after: number }
  | { readonly type: 'doubled' }
  | { readonly type: 'said-again'; readonly after: number; readonly times: number }
  | { readonly type: 'retry-field'; readonly value: string }
  | { readonly type: 'garbage'; readonly after: number }
  | { readonly type: 'after-close' }

export interface ConnectionEnd {
  /** `drip`: bytes continue to come, one every ten seconds, and nothing is ever complete. */
  readonly how: 'reset' | 'eof' | 'silence' | 'drip'
  readonly after: number
  readonly unit: 'bytes' | 'packets'
}

export type Act =
  | {
      readonly type:
        | 'send'
        | 'queue'
        | 'stop'
        | 'disconnect'
        | 'resume'
        | 'retry'
        | 'regenerate'
        | 'discard'
        | 'clear-error'
        | 'answer'
    }
  | { readonly type: 'hide' | 'show' | 'offline' | 'online' }
  /** There and back again, every tenth of a second. */
  | { readonly type: 'flap'; readonly what: 'connection' | 'network'; readonly times: number }
  | { readonly type: 'sleep' | 'freeze'; readonly ms: number }
  /** The key is worth nothing from now on; the next one is got in this way. */
  | { readonly type: 'expire'; readonly refresh: 'works' | 'slow' | 'throws' | 'same' }
  | { readonly type: 'callbacks'; readonly mood: 'calm' | 'throwing' | 'stopping' }
  /** Another page, or tab, continues with a copy of the chat. */
  | { readonly type: 'takeover' }
  /** The thread is busy: all that is due meanwhile comes late and together, the client's timers first or the network first. */
  | { readonly type: 'busy'; readonly ms: number; readonly first: 'client' | 'world' }
  | InsideAct

export type InsideAction = 'send' | 'queue' | 'stop' | 'disconnect' | 'resume' | 'retry' | 'regenerate'

/** An action is called from inside the next callback of that kind. */
export interface InsideAct {
  readonly type: 'inside'
  readonly where: 'subscriber' | 'createRequest' | 'onWarning' | 'onFinish' | 'onError'
  readonly action: InsideAction
}

/** Milliseconds to wait, then what a user or the device does. */
export interface Step {
  readonly afterMs: number
  /** It happens together with whatever comes next, before anybody has had time to look at that. */
  readonly abrupt?: boolean | undefined
  /** Which of the chats, counted from 0 and over all of them. */
  readonly chat?: number | undefined
  readonly act: Act
}

/** Everything that will happen. Plain JSON, so that a failed one can be kept. */
export interface Schedule {
  readonly seed: number
  readonly agent: AgentPlan
  /** One per POST, in order; later ones meet a good connection. */
  readonly connections: readonly ConnectionPlan[]
  /** Later connections carry one new packet each and are cut: there is always progress, and never an end to it. */
  readonly drips?: boolean | undefined
  /** What becomes of each command, in order; later ones arrive. Undefined: the server takes none. */
  readonly commands?: readonly CommandPlan[] | undefined
  readonly steps: readonly Step[]
  readonly place: 'unlimited' | 'shared'
  /** Milliseconds the app takes to make a request. */
  readonly contextMs: number
  /** Chats that share one client, and with it the budget of retries; 1 when left out. */
  readonly chats?: number | undefined
  /** Other chats of the page have used up the budget of retries. */
  readonly isBudgetEmpty?: boolean | undefined
  /** Requests go over connections of frames, as over WebSockets, in place of HTTP. */
  readonly frames?: boolean | undefined
  /** Everything is disposed of right after the last step. */
  readonly endsAbruptly?: boolean | undefined
}

const asides: fc.Arbitrary<Aside[]> = fc.array(
  fc.record({
    place: fc.nat(20),
    what: fc.constantFrom('warning', 'warning', 'transient', 'event', 'event', 'prompt', 'prompt'),
    retryAfter: fc.constantFrom(undefined, undefined, 0, 1, 40, 150),
  }),
  { maxLength: 4 },
)

const agent: fc.Arbitrary<AgentPlan> = fc.record({
  streams: fc.constantFrom(1, 1, 1, 2),
  packets: fc.oneof(
    { weight: 19, arbitrary: fc.integer({ min: 4, max: 12 }) },
    { weight: 1, arbitrary: fc.constant(30) },
  ),
  paceMs: fc.constantFrom(0, 30, 30, 200, 4000),
  asides,
  ending: fc.constantFrom('close', 'close', 'close', 'close', 'close', 'close', 'fatal', 'transient'),
})

const twist: fc.Arbitrary<Twist> = fc.oneof(
  fc.record({ type: fc.constant('gap' as const), after: fc.nat(8), count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ type: fc.constant('swap' as const), after: fc.nat(10) }),
  fc.constant({ type: 'doubled' as const }),
  fc.record({
    type: fc.constant('said-again' as const),
    after: fc.integer({ min: 1, max: 10 }),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ type: fc.constant('retry-field' as const), value: fc.constantFrom('0', '99999999999', '-5', 'soon') }),
  fc.record({ type: fc.constant('garbage' as const), after: fc.nat(10) }),
  fc.constant({ type: 'after-close' as const }),
)

const end: fc.Arbitrary<ConnectionEnd> = fc.oneof(
  fc.record({
    how: fc.constantFrom('reset', 'eof', 'silence'),
    after: fc.nat(1800),
    unit: fc.constant('bytes' as const),
  }),
  fc.record({
    how: fc.constantFrom('reset', 'reset', 'eof', 'eof', 'silence', 'silence', 'drip'),
    after: fc.nat(14),
    unit: fc.constant('packets' as const),
  }),
)

/** More than any frame has: every frame is a separate chunk. */
const WHOLE_FRAMES = 100_000

const stream: fc.Arbitrary<StreamPlan> = fc.record({
  kind: fc.constant('stream' as const),
  restarts: fc.constantFrom(false, false, false, false, false, false, false, true),
  overlap: fc.constantFrom(undefined, undefined, undefined, 0, 1, 3),
  twist: fc.option(twist, { nil: undefined, freq: 2 }),
  end: fc.option(end, { nil: undefined, freq: 4 }),
  pieces: fc.constantFrom(0, 0, 0, WHOLE_FRAMES, WHOLE_FRAMES, 1000, 61, 7),
  latencyMs: fc.constantFrom(0, 5, 80, 3000),
  beats: fc.boolean(),
})

const connection: fc.Arbitrary<ConnectionPlan> = fc.oneof(
  { weight: 8, arbitrary: stream },
  {
    weight: 2,
    arbitrary: fc.constantFrom<ConnectionPlan>(
      { kind: 'refused' },
      { kind: 'refused' },
      { kind: 'answer-lost' },
      { kind: 'mute' },
      { kind: 'empty' },
      { kind: 'empty' },
      { kind: 'page' },
      { kind: 'conflict' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('status' as const),
      status: fc.constantFrom(503, 503, 503, 500, 502, 429, 429, 408, 401, 403, 404, 204),
      retryAfter: fc.constantFrom(undefined, undefined, 0, 2, 90, 999_999),
    }),
  },
)

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<Act>(
      { type: 'send' },
      { type: 'queue' },
      { type: 'stop' },
      { type: 'retry' },
      { type: 'retry' },
      { type: 'regenerate' },
      { type: 'discard' },
      { type: 'clear-error' },
    ),
  },
  { weight: 5, arbitrary: fc.constant<Act>({ type: 'answer' }) },
  { weight: 6, arbitrary: fc.constantFrom<Act>({ type: 'disconnect' }, { type: 'resume' }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom<Act>(
      { type: 'hide' },
      { type: 'show' },
      { type: 'offline' },
      { type: 'online' },
      { type: 'online' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('sleep', 'freeze'), ms: fc.constantFrom(1000, 20_000, 3_600_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('expire' as const),
      refresh: fc.constantFrom('works', 'works', 'slow', 'throws', 'same'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('flap' as const),
      what: fc.constantFrom('connection', 'network'),
      times: fc.constantFrom(3, 10, 40),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Act>({ type: 'takeover' }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('busy' as const),
      ms: fc.constantFrom(50, 2000, 12_000),
      first: fc.constantFrom('client', 'world'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('inside' as const),
      // Only a warning leaves something of its chunk that is still to be written.
      where: fc.constantFrom(
        'subscriber',
        'subscriber',
        'createRequest',
        'onWarning',
        'onWarning',
        'onWarning',
        'onFinish',
        'onError',
      ),
      action: fc.constantFrom('send', 'queue', 'stop', 'disconnect', 'disconnect', 'resume', 'retry', 'regenerate'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('callbacks' as const),
      mood: fc.constantFrom('calm', 'throwing', 'stopping'),
    }),
  },
)

/** Everything that can happen to a chat, of every length that is worth trying. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  agent,
  connections: fc.array(connection, { maxLength: 8 }),
  commands: fc.option(fc.array(fc.constantFrom<CommandPlan>('taken', 'taken', 'lost', 'refused'), { maxLength: 6 }), {
    nil: undefined,
    freq: 3,
  }),
  drips: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constant(true) }),
  steps: fc.array(
    fc.record({
      afterMs: fc.constantFrom(0, 0, 1, 40, 300, 1000, 5000, 31_000, 70_000),
      abrupt: fc.boolean(),
      chat: fc.nat(2),
      act,
    }),
    { maxLength: 10 },
  ),
  place: fc.constantFrom('unlimited', 'unlimited', 'unlimited', 'shared'),
  contextMs: fc.constantFrom(0, 0, 20),
  chats: fc.constantFrom(1, 1, 1, 2, 3),
  isBudgetEmpty: fc.constantFrom(false, false, false, false, false, true),
  endsAbruptly: fc.constantFrom(false, false, false, true),
})
