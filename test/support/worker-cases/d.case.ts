// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { countFiles, log } from './shared.ts'

it('shares the worker and no module', ({ task }) => {
  log.push('test')
  expect(countFiles()).toBe(1)
  Object.assign(task.meta, { log })
})
