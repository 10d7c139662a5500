import type { ArcpSchedule } from './arcp-schedule.ts'

/** Schedules that broke a promise, by what went wrong. */
export const regressions: readonly [title: string, schedule: ArcpSchedule][] = [
  [
    'what was said while a run was left comes although the connection on which it is read on was dead',
    {
      chance: 0,
      steps: [{ type: 'leave', job: 0 }, { type: 'say', job: 0 }, { type: 'mute' }],
    },
  ],
  [
    'a run that was left is read on in order, also where the next connection has something newer',
    {
      chance: 0,
      steps: [{ type: 'leave', job: 0 }, { type: 'say', job: 0 }, { type: 'mute' }, { type: 'say', job: 0 }],
    },
  ],
  [
    'a part of a stream that comes before its beginning is replayed with it does not take its place',
    { chance: 0, steps: [{ type: 'leave', job: 2 }, { type: 'reorder' }, { type: 'say', job: 2 }] },
  ],
  [
    'an eviction that is replayed with the log of its session does not end the next one',
    { chance: 0, steps: [{ type: 'evict' }] },
  ],
  [
    'a client that was closed does not connect again when the first of two stops is given up',
    {
      chance: 0,
      steps: [{ type: 'cut', refuse: 0 }, { type: 'stop', job: 0 }, { type: 'stop', job: 1 }, { type: 'reload' }],
    },
  ],
  [
    'an answer of this client that comes back in a replay is no place from which to read on',
    {
      chance: 0,
      steps: [
        { type: 'ask', job: 1 },
        { type: 'answer', job: 1, wrong: false },
        { type: 'reload' },
        { type: 'cut', refuse: 0 },
        { type: 'ask', job: 0 },
      ],
    },
  ],
  [
    'a message that another job has overtaken comes after the cut',
    {
      chance: 0,
      steps: [{ type: 'reorder' }, { type: 'say', job: 0 }, { type: 'say', job: 1 }, { type: 'cut', refuse: 0 }],
    },
  ],
  [
    'an answer that was refused and comes back in a replay leaves its question open, and its end is told',
    {
      chance: 0,
      steps: [{ type: 'ask', job: 1 }, { type: 'answer', job: 1, wrong: true }, { type: 'evict' }],
    },
  ],
  [
    'a question that a refused answer left open ends with its job, also when the run was left',
    {
      chance: 0,
      steps: [
        { type: 'ask', job: 0 },
        { type: 'answer', job: 0, wrong: true },
        { type: 'leave', job: 0 },
      ],
    },
  ],
  [
    'a message that another job has overtaken comes after the cut also where little was read since a reload',
    {
      chance: 0,
      steps: [
        { type: 'say', job: 2 },
        { type: 'reload' },
        { type: 'reorder' },
        { type: 'say', job: 2 },
        { type: 'permit', job: 0, grant: false },
        { type: 'cut', refuse: 0 },
      ],
    },
  ],
  [
    'a run is read on in the session in which its job runs, also where another has answered about it',
    {
      chance: 0,
      steps: [
        { type: 'cut', refuse: 0 },
        { type: 'wait', ms: 1 },
        { type: 'permit', job: 2, grant: false },
        { type: 'permit', job: 2, grant: true },
        { type: 'cut', refuse: 0 },
        { type: 'say', job: 2 },
        { type: 'leave', job: 2 },
      ],
    },
  ],
]
