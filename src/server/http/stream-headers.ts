/** What a response that streams says of itself: compression and buffering on the way would hold packets back. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  // The answer to a POST is kept by no cache. With `no-store` Chromium lists it as cancelled, even when it was read to its end.
  'cache-control': 'private, no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const

/** For the answer to a GET, which a cache may keep. */
export const NOT_STORED = { 'cache-control': 'no-store, no-transform' } as const
