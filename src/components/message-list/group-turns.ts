import type { ChatMessage } from '../../state/conversation/message.ts'

/** A message to mount, and where the mounted one before it was. */
export interface TurnRow {
  readonly id: string
  readonly index: number
  /** The index after the mounted row before: below `index` where rows are left out between the two. */
  readonly from: number
}

/** The mounted rows of one turn: a question of the user and its answers. */
export interface TurnRows {
  /** The id of its first message, mounted or not. */
  readonly id: string
  readonly rows: readonly TurnRow[]
}

/**
 * Groups the messages at `rows` (ascending) by turn. A turn begins with a message of the user, at the very start,
 * and at each id of `begun`: so that older messages loaded above change no turn that is there already.
 */
export function groupTurns(
  messages: readonly ChatMessage[],
  rows: readonly number[],
  begun: ReadonlySet<string>,
): readonly TurnRows[] {
  const turns: (TurnRows & { rows: TurnRow[] })[] = []
  let from = 0
  for (const index of rows) {
    let start = index
    while (start > from && !beginsTurn(messages[start], begun)) start -= 1
    const message = messages[index]
    if (!message) continue
    const last = turns.at(-1)
    const row = { id: message.id, index, from }
    if (last && start === from && !beginsTurn(messages[start], begun)) last.rows.push(row)
    else turns.push({ id: messages[start]?.id ?? message.id, rows: [row] })
    from = index + 1
  }
  return turns
}

function beginsTurn(message: ChatMessage | undefined, begun: ReadonlySet<string>): boolean {
  return message === undefined || message.role === 'user' || begun.has(message.id)
}

/** The id of the current turn: the one of the last message. */
export function lastTurn(messages: readonly ChatMessage[], begun: ReadonlySet<string>): string | undefined {
  return groupTurns(messages, [messages.length - 1], begun)[0]?.id
}
