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
  // What the next part of the kind joins: the text that runs on, and the spell of work at the end.
  let flow: (TextPart | GapPart)[] | undefined
  let thoughts: Part<'thought'>[] | undefined
  let steps: Part<'progress'>[] | undefined
  for (const part of parts) {
    switch (part.type) {
      case 'citations':
        continue
      case 'thought':
        if (!thoughts) groups.push({ type: 'thoughts', id: `thoughts ${part.id}`, parts: (thoughts = []) })
        thoughts.push(part)
        flow = undefined
        continue
      case 'progress':
        if (!steps) groups.push({ type: 'steps', id: `steps ${part.id}`, parts: (steps = []) })
        steps.push(part)
        flow = undefined
        continue
      case 'text':
      case 'gap':
        if (!flow) groups.push({ type: 'flow', id: `flow ${part.id}`, parts: (flow = []) })
        flow.push(part)
        break
      default:
        groups.push({ type: 'single', id: `${part.type} ${part.id}`, part })
        flow = undefined
    }
    thoughts = undefined
    steps = undefined
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
