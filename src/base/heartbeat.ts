/**
 * Shortest silence before a comment that makes it a heartbeat, in milliseconds. What opens a stream, and the pieces of a large frame,
 * follow each other faster.
 */
export const SHORTEST_BEAT_MS = 1000
