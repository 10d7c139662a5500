import { describe, expect, it } from 'vitest'
import { readTree } from '../layers/files.ts'
import { EXHAUSTIVE, SLOW, WHOLE_APPS } from './slow-tests.ts'

const paths = readTree('test/').map(({ path }) => `test/${path}`)

describe('the lists of slow tests', () => {
  it.each([...WHOLE_APPS, ...SLOW, ...EXHAUSTIVE])('name tests that exist: %s', (pattern) => {
    const [start = '', names = '', end = ''] = pattern.split(/[{}]/)
    const files = pattern === start ? [pattern] : names.split(',').map((name) => start + name + end)
    expect(paths).toEqual(expect.arrayContaining(files))
  })
})
