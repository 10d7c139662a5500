/** What the servers of a test do, by the last words of the user. */
export type Scenario = 'hello' | 'long' | 'think' | 'look up' | 'ask' | 'where' | 'fail'

/** Words of the long answer. */
export const LONG = Array.from({ length: 12 }, (_, at) => `Sentence ${at} of the river 🌊. `)
