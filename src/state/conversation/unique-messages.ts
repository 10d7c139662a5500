import { warnDeveloper } from '../../base/ports/warn-developer.ts'

/** Replaced by bundlers; absent on a page without one. */
declare const process: { readonly env: { readonly NODE_ENV?: string | undefined } }

interface Identified {
  readonly id: string
}

/**
 * Messages from outside with each id once. Of several with one id the last is kept, in its place: an id names one message in
 * everything that is kept by it. Warns in development. The list itself where all ids differ.
 */
export function uniqueMessages<Message extends Identified>(messages: readonly Message[]): readonly Message[] {
  const places = new Map(messages.map(({ id }, place) => [id, place]))
  if (places.size === messages.length) return messages
  const isLast = ({ id }: Message, place: number): boolean => places.get(id) === place
  try {
    if (process.env.NODE_ENV !== 'production')
      warnOfRepeated(messages.find((message, place) => !isLast(message, place)))
  } catch {
    // A page without a bundler: nothing says that it is in development.
  }
  return messages.filter(isLast)
}

function warnOfRepeated(message: Identified | undefined): void {
  if (message !== undefined)
    warnDeveloper(
      `Several messages of one history have the id ${JSON.stringify(message.id)}, so only the last of them is shown. Give each message an id of its own.`,
    )
}
