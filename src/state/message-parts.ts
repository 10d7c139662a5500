import type { AgentPart } from '../protocols/agent-event.ts'
import type { MessagePart } from './message.ts'

/** Parts that stand beside the text: they never cut a sentence in two. */
const BESIDE_TEXT: ReadonlySet<MessagePart['type']> = new Set(['citations', 'progress', 'warning', 'unknown', 'notice'])

/** Whether text that comes after `part` begins anew instead of going on before it. */
function splitsText(part: MessagePart, textBefore: string): boolean {
  // A thought between two paragraphs keeps its place; one that falls into a sentence does not break it.
  if (part.type === 'thought') return textBefore === '' || textBefore.endsWith('\n\n')
  return !BESIDE_TEXT.has(part.type)
}

/** The parts with `text` added at the end of what the stream says. Pure. */
export function appendText(parts: readonly MessagePart[], text: string): readonly MessagePart[] {
  if (text === '') return parts
  const index = parts.findLastIndex((part) => part.type === 'text')
  const last = parts[index]
  if (last?.type === 'text' && !parts.slice(index + 1).some((part) => splitsText(part, last.text))) {
    return parts.with(index, { ...last, text: last.text + text })
  }
  const ordinal = parts.reduce((count, part) => (part.type === 'text' ? count + 1 : count), 1)
  return [...parts, { type: 'text', id: `text-${ordinal}`, text }]
}

/** The parts with `part` inserted at the end, or in the place of the one with the same id and type. Pure. */
export function putPart(parts: readonly MessagePart[], id: string, part: AgentPart): readonly MessagePart[] {
  const index = parts.findIndex((known) => known.id === id && known.type === part.type)
  const own = { ...part, id }
  return index === -1 ? [...parts, own] : parts.with(index, own)
}
