import type { AgentPlan } from './truth.ts'
import type { Schedule, StreamPlan } from './schedule.ts'

const agent: AgentPlan = { streams: 1, packets: 4, paceMs: 0, asides: [], ending: 'close' }
const stream: StreamPlan = {
  kind: 'stream',
  restarts: false,
  overlap: undefined,
  twist: undefined,
  end: undefined,
  pieces: 0,
  latencyMs: 0,
  beats: false,
}
const base: Schedule = { seed: 1, agent, connections: [], steps: [], place: 'unlimited', contextMs: 0 }

/** Schedules that broke a promise once, made small: what must happen, and what happened. */
export const regressions: readonly (readonly [what: string, schedule: Schedule])[] = [
  [
    'an unsent message goes out again with the same body (it got a new timestamp and trace under the old request id)',
    { ...base, connections: [{ kind: 'status', status: 503 }], steps: [{ afterMs: 70_000, act: { type: 'retry' } }] },
  ],
  [
    'disconnect() holds while the request is being made (the connection was opened all the same)',
    {
      ...base,
      steps: [
        { afterMs: 0, act: { type: 'disconnect' } },
        { afterMs: 40, act: { type: 'send' } },
      ],
      contextMs: 20,
    },
  ],
  [
    'a wait the server asked for outlasts an offline spell (one second after online an attempt went out)',
    {
      ...base,
      connections: [{ kind: 'refused' }, { kind: 'status', status: 503, retryAfter: 90 }],
      steps: [{ afterMs: 40, act: { type: 'offline' } }],
    },
  ],
  [
    'an attempt given up during the refresh of its key is gone (the harness took it for a second connection)',
    {
      ...base,
      steps: [
        { afterMs: 0, act: { type: 'expire', refresh: 'slow' } },
        { afterMs: 300, act: { type: 'disconnect' } },
      ],
      contextMs: 20,
    },
  ],
  [
    'a refresh that brought no new key is tried again (it was remembered for ever)',
    { ...base, steps: [{ afterMs: 0, act: { type: 'expire', refresh: 'same' } }], contextMs: 20 },
  ],
  [
    'a refresh that failed is tried again (its rejection was remembered for ever)',
    { ...base, steps: [{ afterMs: 0, act: { type: 'expire', refresh: 'throws' } }], contextMs: 20 },
  ],
  [
    'leaving and coming back stays under twenty attempts a minute (each resume() opened a connection: 101)',
    {
      ...base,
      agent: { ...agent, paceMs: 4000 },
      steps: [{ afterMs: 0, act: { type: 'flap', what: 'connection', times: 100 } }],
    },
  ],
  [
    'regenerate() sends an unsent message again (its answer grew under a message still called unsent)',
    {
      ...base,
      connections: [{ kind: 'status', status: 503 }, { kind: 'page' }],
      steps: [
        { afterMs: 1000, act: { type: 'regenerate' } },
        { afterMs: 0, act: { type: 'discard' } },
      ],
    },
  ],
  [
    'stop() in a callback lets nothing more through (the rest of the chunk was still written)',
    {
      ...base,
      agent: { ...agent, asides: [{ place: 0, what: 'warning' }] },
      steps: [
        { afterMs: 0, act: { type: 'callbacks', mood: 'stopping' } },
        { afterMs: 300, act: { type: 'send' } },
      ],
    },
  ],
  [
    'a run given up by a TRANSIENT error may fail by the same one when it is resumed',
    {
      ...base,
      agent: { ...agent, packets: 11, ending: 'transient' },
      connections: [
        { ...stream, twist: { type: 'retry-field', value: '0' }, end: { how: 'reset', after: 12, unit: 'packets' } },
        { ...stream, end: { how: 'reset', after: 0, unit: 'bytes' } },
        { kind: 'refused' },
      ],
    },
  ],
  [
    'an empty budget does not shorten a wait that the server asked for (after 20 s an attempt went out)',
    {
      ...base,
      connections: [
        { ...stream, end: { how: 'reset', after: 0, unit: 'bytes' } },
        { kind: 'status', status: 503, retryAfter: 90 },
      ],
      isBudgetEmpty: true,
    },
  ],
  [
    'another page waits too when the first attempt of a run was refused (it asked at once)',
    {
      ...base,
      connections: [stream, { kind: 'status', status: 503, retryAfter: 999_999 }],
      steps: [
        { afterMs: 0, act: { type: 'retry' } },
        { afterMs: 5000, act: { type: 'takeover' } },
      ],
    },
  ],
  [
    'resume() in a subscriber, while a run begins, makes no second request (there were two connections)',
    {
      ...base,
      steps: [
        { afterMs: 1000, act: { type: 'inside', where: 'subscriber', action: 'resume' } },
        { afterMs: 0, act: { type: 'send' } },
      ],
      contextMs: 20,
    },
  ],
  [
    'disconnect() in a callback writes no more of the chunk (the rest of it was written)',
    {
      ...base,
      agent: { ...agent, asides: [{ place: 1, what: 'warning' }] },
      steps: [{ afterMs: 0, abrupt: true, act: { type: 'inside', where: 'onWarning', action: 'disconnect' } }],
    },
  ],
  [
    'a connection on which a frame never ends is given up (it was held for ever)',
    { ...base, connections: [{ ...stream, end: { how: 'drip', after: 1, unit: 'packets' } }] },
  ],
  [
    'an attempt a user asked for and left before a connection was free does not shorten the wait (the next one went out at once)',
    {
      ...base,
      connections: [{ kind: 'refused' }, { kind: 'status', status: 503, retryAfter: 90 }],
      steps: [
        { afterMs: 70_000, act: { type: 'retry' } },
        { afterMs: 0, act: { type: 'disconnect' } },
      ],
      place: 'shared',
      chats: 1,
    },
  ],
  [
    'an answer that may have arrived is not forgotten when a later attempt is refused (it was shown as answered elsewhere)',
    {
      ...base,
      agent: { ...agent, packets: 30, paceMs: 200, asides: [{ place: 0, what: 'prompt' }] },
      commands: ['lost'],
      steps: [
        { afterMs: 0, abrupt: true, chat: 0, act: { type: 'answer' } },
        { afterMs: 0, abrupt: false, chat: 0, act: { type: 'expire', refresh: 'same' } },
      ],
      chats: 1,
    },
  ],
  [
    'an answer that is on its way when its run fails is not withdrawn (it was shown as answered only after a stop)',
    {
      ...base,
      agent: { ...agent, paceMs: 30, asides: [{ place: 0, what: 'prompt' }], ending: 'fatal' },
      commands: ['lost', 'lost'],
      steps: [{ afterMs: 0, abrupt: false, chat: 0, act: { type: 'answer' } }],
      chats: 1,
    },
  ],
]
