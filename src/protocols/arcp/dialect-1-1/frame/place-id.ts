/**
 * A position in a job: the number of the event, from 1, and a digest of its content. A job has the same
 * events in whichever session it is followed, while their numbers differ, so a place holds over sessions and pages.
 */
export interface Place {
  readonly ordinal: number
  readonly mark: string
}

/** Letters of Crockford's base 32: ids that are made of 26 of them have an order. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Before the first event. */
export const START: Place = { ordinal: 0, mark: '00000000' }

/** Id of a message that an event means. @param step which of its messages, from 0 */
export function placeId({ ordinal, mark }: Place, step: number): string {
  return `msg_${String(ordinal).padStart(12, '0')}${mark}${String(step).padStart(6, '0')}`
}

/** The place that an id tells; undefined for any other id. */
export function placeOf(id: string | undefined): Place | undefined {
  const [, ordinal, mark] = /^msg_(\d{12})([0-9A-Z]{8})\d{6}$/.exec(id ?? '') ?? []
  return ordinal === undefined || mark === undefined ? undefined : { ordinal: Number(ordinal), mark }
}

/** A short mark of a text: two texts with the same mark are next to never found within one job. */
export function markOf(text: string): string {
  return hash(text, 0x811c9dc5) + hash(text, 0x01000193)
}

/** Four letters by the method of Fowler, Noll and Vo. */
function hash(text: string, seed: number): string {
  let value = seed
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  let letters = ''
  // The upper bits depend on more of the text.
  for (const shift of [12, 17, 22, 27]) letters += LETTERS[(value >>> shift) & 31] ?? '0'
  return letters
}
