import type { A2ASchedule } from './a2a-schedule.ts'

/** Schedules that broke a promise, by what went wrong. */
export const regressions: readonly [title: string, schedule: A2ASchedule][] = [
  [
    'an artifact that was replaced by one of the same length after the question is shown after a reconnect',
    {
      first: { post: undefined, steps: [{ do: 'append', artifact: 'a' }] },
      second: {
        post: undefined,
        steps: [{ do: 'working' }, { do: 'cut', how: 'end' }, { do: 'replace', artifact: 'a' }],
      },
      end: 'COMPLETED',
      streaming: true,
    },
  ],
  [
    'artifacts that change after the question are in the order of the task, not in that of their changes',
    {
      first: {
        post: undefined,
        steps: [
          { do: 'append', artifact: 'c' },
          { do: 'append', artifact: 'a' },
        ],
      },
      second: {
        post: undefined,
        steps: [
          { do: 'append', artifact: 'c' },
          { do: 'replace', artifact: 'b' },
          { do: 'append', artifact: 'a' },
        ],
      },
      end: 'COMPLETED',
      streaming: true,
    },
  ],
]
