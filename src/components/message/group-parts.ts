import type { GapPart, MessagePart, TextPart } from '../../state/turn.ts'
import { leftOut } from '../internals/folding.tsx'

type Part<Type extends MessagePart['type']> = Extract<MessagePart, { readonly type: Type }>

/** Parts that are shown together, in place of the first of them. */
export type PartGroup =
  | { readonly type: 'flow'; readonly id: string; readonly parts: readonly (TextPart | GapPart)[] }
  | { readonly type: 'thoughts'; readonly id: string; readonly parts: readonly Part<'thought'>[] }
  | { readonly type: 'steps'; readonly id: string; readonly parts: readonly Part<'progress'>[] }
  | { readonly type: 'tasks'; readonly id: string; readonly parts: readonly Part<'task'>[] }
  | {
      readonly type: 'single'
      readonly id: string
      readonly part: Exclude<
        MessagePart,
        TextPart | GapPart | Part<'thought' | 'progress' | 'task' | 'citations' | 'state'>
      >
    }

/** Gaps of one text. Four times what one markdown document holds, so that the text continues where a document does. */
const MOST_GAPS = 52

/**
 * Groups parts for display: text continues over gaps, the thoughts, the steps and the tasks between two texts share one fold,
 * one card and one tree, citations are left out (they are collected at the end), and so is the shared state. No part moves past text, so displayed parts keep
 * their position. A text with many gaps continues in another group.
 */
export function groupParts(parts: readonly MessagePart[]): readonly PartGroup[] {
  const groups: PartGroup[] = []
  // What the next part of the kind joins: the text that runs on, and the spell of work at the end.
  let flow: (TextPart | GapPart)[] | undefined
  let gaps = 0
  let thoughts: Part<'thought'>[] | undefined
  let steps: Part<'progress'>[] | undefined
  let tasks: Part<'task'>[] | undefined
  for (const part of parts) {
    switch (part.type) {
      case 'citations':
      case 'state':
        continue
      case 'thought':
        if (!thoughts) groups.push({ type: 'thoughts', id: `thoughts ${part.id}`, parts: (thoughts = []) })
        thoughts.push(part)
        flow = undefined
        continue
      case 'task':
        if (!tasks) groups.push({ type: 'tasks', id: `tasks ${part.id}`, parts: (tasks = []) })
        tasks.push(part)
        flow = undefined
        continue
      case 'progress':
        if (!steps) groups.push({ type: 'steps', id: `steps ${part.id}`, parts: (steps = []) })
        steps.push(part)
        flow = undefined
        continue
      case 'text':
      case 'gap':
        if (!flow || (part.type === 'gap' && gaps === MOST_GAPS)) {
          groups.push({ type: 'flow', id: `flow ${part.id}`, parts: (flow = []) })
          gaps = 0
        }
        if (part.type === 'gap') gaps += 1
        flow.push(part)
        break
      default:
        groups.push({ type: 'single', id: `${part.type} ${part.id}`, part })
        flow = undefined
    }
    thoughts = undefined
    steps = undefined
    tasks = undefined
  }
  return groups
}

/**
 * Which end of a live answer moves while the agent works: its text (a caret), a part that shows so itself, or nothing yet (dots).
 */
export function liveEnd(groups: readonly PartGroup[]): 'text' | 'part' | 'nothing' {
  for (const group of groups.toReversed()) {
    if (group.type === 'flow') return group.parts.some((part) => part.type === 'text') ? 'text' : 'nothing'
    if (group.type === 'thoughts') return group.parts.at(-1)?.status === 'complete' ? 'nothing' : 'part'
    if (group.type === 'steps' && group.parts.some(({ status }) => status === 'running')) return 'part'
    if (group.type === 'tasks' && group.parts.some(({ status }) => status === 'working')) return 'part'
    if (group.type === 'single' && group.part.type === 'said') return 'nothing'
    if (group.type === 'single' && group.part.type === 'prompt') return 'nothing'
    if (group.type === 'single' && group.part.type === 'tool-call')
      return group.part.status === 'running' ? 'part' : 'nothing'
  }
  return 'nothing'
}

/** The groups at the end of an answer that are shown, where it has more parts than there is space for. */
export function lastGroups(
  groups: readonly PartGroup[],
  limit: number,
): { readonly shown: readonly PartGroup[]; readonly left: number } {
  const sizes = groups.map((group) => (group.type === 'flow' ? group.parts.length : 1))
  const most = leftOut(
    sizes.reduce((sum, size) => sum + size, 0),
    limit,
  )
  let first = 0
  let left = 0
  for (let size = sizes[0]; size !== undefined && left + size <= most; size = sizes[first]) {
    left += size
    first += 1
  }
  return { shown: first === 0 ? groups : groups.slice(first), left }
}
