import { describe, expect, it } from 'vitest'
import { type LinkedTask, type SubTask, taskTree } from '../../src/components/task-card.tsx'

const task = (id: string, parentId?: string): LinkedTask => ({ id, status: 'working', parentId })
/** `a(b c(d))` for a tree. */
const drawn = (tasks: readonly SubTask[]): string =>
  tasks.map(({ id, tasks: own }) => (own === undefined ? id : `${id}(${drawn(own)})`)).join(' ')

describe('tasks in a tree', () => {
  it.each([
    ['nothing', [], ''],
    ['their order', [task('a'), task('b')], 'a b'],
    ['parts below their task', [task('a'), task('b', 'a'), task('c', 'b'), task('d', 'a')], 'a(b(c) d)'],
    ['parts that come before their task', [task('b', 'a'), task('a')], 'a(b)'],
    ['a part of a task that is not there', [task('b', 'gone')], 'b'],
    ['a task that is a part of itself', [task('a', 'a')], 'a'],
    ['tasks in a circle, and what belongs to them', [task('a', 'b'), task('b', 'a'), task('c', 'a')], 'a(c) b'],
  ])('keep %s', (_, tasks, expected) => {
    expect(drawn(taskTree(tasks))).toBe(expected)
  })

  it('keeps every task once, whatever they say they belong to', () => {
    const ids = ['a', 'b', 'c', 'd']
    const all = ids.flatMap((one) => [undefined, ...ids].map((parent) => [one, parent] as const))
    const chosen = (at: number): LinkedTask[] =>
      ids.map((id, index) => task(id, [undefined, ...ids][Math.floor(at / 5 ** index) % 5]))
    expect(all).toHaveLength(20)
    for (let at = 0; at < 5 ** 4; at++)
      expect(
        drawn(taskTree(chosen(at)))
          .match(/[a-d]/g)
          ?.toSorted(),
      ).toEqual(ids)
  })
})
