import type { GapPart, MessagePart, TextPart } from '../../state/message.ts'

type Part<Type extends MessagePart['type']> = Extract<MessagePart, { readonly type: Type }>

/** Parts that are shown together, in the place of the first of them. */
export type PartGroup =
  | { readonly type: 'flow'; readonly id: string; readonly parts: readonly (TextPart | GapPart)[] }
  | { readonly type: 'thoughts'; readonly id: string; readonly parts: readonly Part<'thought'>[] }
  | { readonly type: 'steps'; readonly id: string; readonly parts: readonly Part<'progress'>[] }
  | { readonly type: 'single'; readonly id: string; readonly part: Exclude<MessagePart, TextPart | GapPart | Part<'thought' | 'progress' | 'citations'>> }

/**
 * Puts parts together as people read them: text runs on over gaps, the thoughts and the steps of one
 * spell of work share one fold and one card, citations are left out (they are collected at the end).
 * Nothing is moved past text, so nothing already read changes its place.
 */
export function groupParts(parts: readonly MessagePart[]): readonly PartGroup[] {
  const groups: PartGroup[] = []
  // Where the spell of work at the end of `groups` keeps its thoughts and its steps.
  let thoughts = -1
  let steps = -1
  for (const part of parts) {
    if (part.type === 'citations') continue
    if (part.type === 'thought') {
      const known = groups[thoughts]
      if (known?.type === 'thoughts') groups[thoughts] = { ...known, parts: [...known.parts, part] }
      else thoughts = groups.push({ type: 'thoughts', id: `thoughts ${part.id}`, parts: [part] }) - 1
      continue
    }
    if (part.type === 'progress') {
      const known = groups[steps]
      if (known?.type === 'steps') groups[steps] = { ...known, parts: [...known.parts, part] }
      else steps = groups.push({ type: 'steps', id: `steps ${part.id}`, parts: [part] }) - 1
      continue
    }
    thoughts = -1
    steps = -1
    if (part.type !== 'text' && part.type !== 'gap') {
      groups.push({ type: 'single', id: `${part.type} ${part.id}`, part })
      continue
    }
    const last = groups.at(-1)
    if (last?.type === 'flow') groups[groups.length - 1] = { ...last, parts: [...last.parts, part] }
    else groups.push({ type: 'flow', id: `flow ${part.id}`, parts: [part] })
  }
  return groups
}

/** Which end of a live answer moves: its text (a caret), a part that shows so itself, or nothing yet (dots). */
export function liveEnd(groups: readonly PartGroup[]): 'text' | 'part' | 'nothing' {
  for (const group of groups.toReversed()) {
    if (group.type === 'flow') return group.parts.some((part) => part.type === 'text') ? 'text' : 'nothing'
    if (group.type === 'thoughts') return group.parts.at(-1)?.status === 'complete' ? 'nothing' : 'part'
    if (group.type === 'steps' && group.parts.some((part) => part.status === 'running')) return 'part'
    if (group.type === 'single' && group.part.type === 'tool-call') return group.part.status === 'running' ? 'part' : 'nothing'
  }
  return 'nothing'
}
