import { posix } from 'node:path'
import type { SourceFile } from './rules.ts'
import { scan } from './scan.ts'

/** What to do about a circle: the test says it when it fails. */
export const ORDER_OF_FILES = `Each line names files of src that import each other, types included. What to do:
- a type that both sides need: move it to the file of its lowest user, from which the others import it.
- two halves of one idea: make them one file.`

/** One line for a circle: the folder of its files, and the names of the first below it. */
export function describeCircle(circle: readonly string[]): string {
  const folders = circle.map((path) => posix.dirname(path).split('/'))
  const [first = []] = folders
  const shared = first.filter((_, depth) =>
    folders.every((folder) => folder.slice(0, depth + 1).join('/') === first.slice(0, depth + 1).join('/')),
  )
  const folder = shared.join('/')
  const names = circle.map((path) => posix.relative(folder, path)).toSorted()
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${folder}: ${names.slice(0, NAMED).join(', ')}${more}`
}

const NAMED = 4

/**
 * Groups of files that import each other, directly or through others, types included: the strongly connected components of
 * more than one file (Tarjan). The largest first.
 */
export function fileCircles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const imports = new Map(
    files.map(({ path, text }): [string, readonly string[]] => [
      path,
      scan(path, text).imports.map(({ specifier }) => posix.join(posix.dirname(path), specifier)),
    ]),
  )
  const found: (readonly string[])[] = []
  const states = new Map<string, { readonly index: number; low: number; isOpen: boolean }>()
  const stack: string[] = []

  function visit(path: string): number {
    const own = { index: states.size, low: states.size, isOpen: true }
    states.set(path, own)
    stack.push(path)
    for (const target of imports.get(path) ?? []) {
      if (!imports.has(target)) continue
      const known = states.get(target)
      if (known === undefined) own.low = Math.min(own.low, visit(target))
      else if (known.isOpen) own.low = Math.min(own.low, known.index)
    }
    if (own.low === own.index) {
      const circle = stack.splice(stack.indexOf(path))
      for (const file of circle) {
        const state = states.get(file)
        if (state !== undefined) state.isOpen = false
      }
      if (circle.length > 1) found.push(circle)
    }
    return own.low
  }

  for (const path of imports.keys()) if (!states.has(path)) visit(path)
  return found.toSorted((one, other) => other.length - one.length)
}
