/** Data that are not an event, or not where it may be. The message is a sentence; the cause is there where they are not even JSON. */
export class ReadFault extends Error {}

/** What a reader does with a deviation that a server is known for: it is taken, or in strict mode it is a fault. */
export type Deviation = (why: string) => void

export const TOLERATE: Deviation = () => {}
export const REFUSE: Deviation = (why) => {
  throw new ReadFault(why)
}
