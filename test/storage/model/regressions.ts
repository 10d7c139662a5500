import type { TabSchedule } from './tab-schedule.ts'

/** Schedules that broke a promise, by what went wrong. */
export const regressions: readonly [title: string, schedule: TabSchedule][] = [
  [
    'a state whose row was only told by another tab is written with its row',
    {
      seed: 403639087,
      tabs: 2,
      steps: [
        { after: 0, do: 'send', tab: 0 },
        { after: 0, do: 'close', tab: 0 },
        { after: 14, do: 'close', tab: 0 },
      ],
    },
  ],
  [
    'a call that was refused while its tab left is not taken for performed',
    {
      seed: 1,
      tabs: 1,
      steps: [
        { after: 0, do: 'send', tab: 0 },
        { after: 0, do: 'send', tab: 0 },
        { after: 0, do: 'hide', tab: 0 },
        { after: 2800, do: 'send', tab: 0 },
      ],
    },
  ],
  [
    'a follower that hears late of a removal asks the leader for its state',
    {
      seed: 937193809,
      tabs: 3,
      steps: [
        { after: 0, do: 'remove', tab: 0 },
        { after: 12, do: 'send', tab: 1 },
        { after: 8, do: 'block', tab: 2, ms: 30 },
      ],
    },
  ],
  [
    'a full disk that can still be read is read by the next leader',
    {
      seed: 1,
      tabs: 2,
      steps: [
        { after: 2800, do: 'close', tab: 0 },
        { after: 0, do: 'send', tab: 0 },
        { after: 281, do: 'send', tab: 0 },
        { after: 54, do: 'close', tab: 0 },
        { after: 2800, do: 'disk', fault: 'QuotaExceededError' },
        { after: 2800, do: 'open' },
        { after: 33, do: 'send', tab: 0 },
      ],
    },
  ],
  [
    'a leader whose state was never written passes it on when it is overtaken',
    {
      seed: 1,
      tabs: 2,
      steps: [
        { after: 0, do: 'send', tab: 0 },
        { after: 0, do: 'disk', fault: 'QuotaExceededError' },
        { after: 2800, do: 'block', tab: 0, ms: 3008 },
        { after: 0, do: 'close', tab: 1 },
        { after: 0, do: 'open' },
        { after: 0, do: 'send', tab: 1 },
      ],
    },
  ],
  [
    'what is sent after a removal that nobody told of is kept',
    {
      seed: 368191967,
      tabs: 2,
      steps: [
        { after: 0, do: 'send', tab: 3 },
        { after: 1153, do: 'remove', tab: 0 },
        { after: 5, do: 'close', tab: 0 },
      ],
    },
  ],
  [
    'what a leader of before says of a call does not count',
    {
      seed: 177491656,
      tabs: 4,
      steps: [
        { after: 2800, do: 'block', tab: 1, ms: 3015 },
        { after: 0, do: 'send', tab: 2 },
        { after: 0, do: 'close', tab: 0 },
        { after: 0, do: 'send', tab: 0 },
      ],
    },
  ],
  [
    'a leader that was overtaken asks for the state of the next, whatever its term',
    {
      seed: 38734663,
      tabs: 1,
      steps: [
        { after: 0, do: 'disk', fault: 'QuotaExceededError' },
        { after: 0, do: 'block', tab: 0, ms: 3020 },
        { after: 0, do: 'open' },
        { after: 0, do: 'send', tab: 3 },
        { after: 3019, do: 'block', tab: 0, ms: 19 },
      ],
    },
  ],
  [
    'a message another leader refused is not passed on by one that had begun it',
    {
      seed: 2028931343,
      tabs: 3,
      steps: [
        { after: 58, do: 'block', tab: 2, ms: 460 },
        { after: 24, do: 'send', tab: 0 },
        { after: 4119, do: 'block', tab: 0, ms: 4064 },
        { after: 0, do: 'send', tab: 1 },
        { after: 0, do: 'block', tab: 0, ms: 0 },
      ],
    },
  ],
  [
    'a removal that reached the disk late does not end what was said after it',
    {
      seed: 653586611,
      tabs: 3,
      steps: [
        { after: 0, do: 'disk', fault: 'QuotaExceededError' },
        { after: 0, do: 'close', tab: 0 },
        { after: 0, do: 'remove', tab: 0 },
        { after: 27, do: 'block', tab: 0, ms: 0 },
      ],
    },
  ],
  [
    'a leader that learns of a removal adds nothing to what was dropped',
    {
      seed: 1,
      tabs: 4,
      steps: [
        { after: 2800, do: 'send', tab: 0 },
        { after: 353, do: 'disk', fault: 'QuotaExceededError' },
        { after: 25, do: 'remove', tab: 1 },
        { after: 30, do: 'queue', tab: 2 },
        { after: 10, do: 'block', tab: 0, ms: 0 },
        { after: 4, do: 'close', tab: 2 },
      ],
    },
  ],
  [
    'a leader without a term of the disk writes over nothing',
    {
      seed: 973062022,
      tabs: 1,
      steps: [
        { after: 0, do: 'open' },
        { after: 0, do: 'send', tab: 0 },
        { after: 133, do: 'disk', fault: 'QuotaExceededError' },
        { after: 0, do: 'remove', tab: 1 },
        { after: 137, do: 'block', tab: 0, ms: 0 },
      ],
    },
  ],
  [
    'what a leader did not save is not forgotten when it learns of the next',
    {
      seed: 1,
      tabs: 1,
      steps: [
        { after: 61, do: 'send', tab: 0 },
        { after: 497, do: 'stop', tab: 0 },
        { after: 1324, do: 'send', tab: 0 },
        { after: 3, do: 'disk', fault: 'QuotaExceededError' },
        { after: 10, do: 'send', tab: 0 },
        { after: 0, do: 'block', tab: 0, ms: 3014 },
        { after: 0, do: 'open' },
        { after: 10, do: 'send', tab: 3 },
      ],
    },
  ],
  [
    'nothing is written while a leader acquires its term',
    {
      seed: 1,
      tabs: 1,
      steps: [
        { after: 0, do: 'send', tab: 0 },
        { after: 0, do: 'open' },
        { after: 2800, do: 'close', tab: 3 },
        { after: 0, do: 'disk', fault: 'QuotaExceededError' },
        { after: 216, do: 'queue', tab: 0 },
        { after: 44, do: 'remove', tab: 0 },
        { after: 57, do: 'open' },
      ],
    },
  ],
  [
    'a queued message that its leader could not store is passed on when it is overtaken',
    {
      seed: 530454153,
      tabs: 2,
      steps: [
        { after: 0, do: 'close', tab: 0 },
        { after: 0, do: 'send', tab: 0 },
        { after: 0, do: 'queue', tab: 0 },
        { after: 0, do: 'block', tab: 0, ms: 3021 },
        { after: 0, do: 'open' },
        { after: 0, do: 'send', tab: 3 },
        { after: 0, do: 'send', tab: 0 },
      ],
    },
  ],
  [
    'what was said before the database could be opened is passed on to the tabs that have it',
    {
      seed: 1,
      tabs: 3,
      steps: [
        { after: 0, do: 'block', tab: 0, ms: 4326 },
        { after: 0, do: 'sign-out', tab: 1 },
        { after: 306, do: 'cut' },
        { after: 945, do: 'send', tab: 1 },
        { after: 587, do: 'close', tab: 1 },
        { after: 0, do: 'open' },
        { after: 708, do: 'block', tab: 0, ms: 0 },
        { after: 36, do: 'send', tab: 1 },
        { after: 700, do: 'send', tab: 1 },
        { after: 1056, do: 'block', tab: 1, ms: 2500 },
      ],
    },
  ],
  [
    'what a hidden chat could not write follows what a later leader wrote',
    {
      seed: 3,
      tabs: 1,
      steps: [
        { after: 0, do: 'disk', fault: 'QuotaExceededError' },
        { after: 0, do: 'send', tab: 0 },
        { after: 2800, do: 'hide', tab: 0 },
        { after: 0, do: 'open' },
        { after: 18, do: 'disk', fault: 'none' },
        { after: 37, do: 'send', tab: 0 },
        { after: 17, do: 'close', tab: 1 },
      ],
    },
  ],
  [
    'what a leader of before writes does not bring a removed conversation back',
    {
      seed: 899406835,
      tabs: 3,
      steps: [
        { after: 0, do: 'send', tab: 0 },
        { after: 0, do: 'remove', tab: 1 },
        { after: 24, do: 'queue', tab: 0 },
        { after: 2800, do: 'send', tab: 0 },
      ],
    },
  ],
  [
    'what a leader writes under its new term is not dropped when an earlier write of its own is refused',
    {
      seed: 2147450827,
      tabs: 4,
      steps: [
        { after: 1, do: 'close', tab: 0 },
        { after: 0, do: 'disk', fault: 'QuotaExceededError' },
        { after: 2800, do: 'open' },
        { after: 10, do: 'send', tab: 0 },
        { after: 1141, do: 'hide', tab: 1 },
        { after: 2, do: 'send', tab: 0 },
        { after: 18, do: 'send', tab: 0 },
      ],
    },
  ],
  [
    'an answer that was on its way when its prompt expired is not called accepted',
    {
      seed: 363123387,
      tabs: 4,
      asks: true,
      steps: [
        { after: 0, do: 'block', tab: 0, ms: 2500 },
        { after: 0, do: 'send', tab: 0 },
        { after: 13, do: 'send', tab: 3 },
        { after: 262, do: 'send', tab: 2 },
        { after: 5581, do: 'send', tab: 2 },
        { after: 639, do: 'block', tab: 0, ms: 535 },
        { after: 25, do: 'block', tab: 2, ms: 3505 },
        { after: 509, do: 'allow', tab: 1 },
      ],
    },
  ],
  [
    'what the run of an unsaved answer asked is withdrawn when another leader is given that answer (it stayed open for ever)',
    {
      seed: 1257191182,
      tabs: 2,
      asks: true,
      steps: [
        { after: 814, do: 'disk', fault: 'QuotaExceededError' },
        { after: 1553, do: 'open' },
        { after: 61, do: 'close', tab: 0 },
        { after: 131, do: 'send', tab: 3 },
        { after: 426, do: 'remove', tab: 1 },
      ],
    },
  ],
  [
    'an answer stays unconfirmed when a stop overtook it and its agent does not report how the prompt ended (it may have been taken)',
    {
      seed: 16,
      tabs: 1,
      asks: true,
      steps: [
        { after: 2800, do: 'send', tab: 0 },
        { after: 2800, do: 'disk', fault: 'QuotaExceededError' },
        { after: 0, do: 'allow', tab: 0 },
        { after: 17, do: 'stop', tab: 0 },
        { after: 0, do: 'disk', fault: 'QuotaExceededError' },
      ],
    },
  ],
  [
    'a page that goes at the end of its run leaves no connection behind',
    {
      seed: 1757040572,
      tabs: 3,
      asks: false,
      steps: [
        { after: 0, do: 'send', tab: 1 },
        { after: 1008, do: 'allow', tab: 0 },
        { after: 11, do: 'close', tab: 0 },
        { after: 18, do: 'open' },
        { after: 42, do: 'sign-out', tab: 0 },
        { after: 0, do: 'allow', tab: 0 },
      ],
    },
  ],
  [
    'a follower shows a prompt as declined when its next leader knows only the disk, where it is open',
    {
      seed: 1406499788,
      tabs: 2,
      asks: true,
      steps: [
        { after: 60, do: 'send', tab: 0 },
        { after: 1130, do: 'disk', fault: 'QuotaExceededError' },
        { after: 0, do: 'decline', tab: 0 },
        { after: 331, do: 'block', tab: 0, ms: 6663 },
        { after: 13, do: 'open' },
        { after: 13, do: 'queue', tab: 2 },
      ],
    },
  ],
  [
    'a tab whose lock is stolen before it learns of the grant stays in its group',
    {
      seed: 1300184287,
      tabs: 2,
      asks: true,
      steps: [
        { after: 60, do: 'send', tab: 0 },
        { after: 600, do: 'disk', fault: 'QuotaExceededError' },
        { after: 0, do: 'allow', tab: 0 },
        { after: 60, do: 'block', tab: 0, ms: 3600 },
        { after: 9, do: 'open' },
        { after: 9, do: 'queue', tab: 2 },
        { after: 2, do: 'send', tab: 1 },
      ],
    },
  ],
]
