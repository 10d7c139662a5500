/**
 * Types that a client sends as well as the runtime. Its own messages come back in replays, with ids that its clock made: they are no
 * places in what the runtime said.
 */
export const SENT_TOO: ReadonlySet<string> = new Set([
  'echo',
  'extension',
  'ping',
  'pong',
  'human.input.response',
  'human.choice.response',
  'human.input.cancelled',
  'artifact.put',
])
