import { describe, expect, it } from 'vitest'
import { canRunPattern } from '../../../src/components/schema-form/pattern-cost.ts'

describe('a pattern of an agent', () => {
  it.each([
    ['^[a-z]+$', 1_000],
    ['^\\d{5}(-\\d{4})?$', 1_000],
    ['^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$', 90],
    ['a', 100_000],
    ['^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$', 15],
    ['^\\p{Lu}\\p{L}*$', 1_000],
    ['[(*+?|{]', 1_000],
    ['^(?<year>\\d{4})$', 1_000],
    ['^(?!x)[^y]*$', 1_000],
  ])('%s is run on a text of %i characters', (pattern, length) => {
    expect(canRunPattern(pattern, length)).toBe(true)
  })

  it.each([
    ['^(a+)+$', 30],
    ['^(a|a)*$', 30],
    ['^(a|aa)+$', 40],
    ['^([a-zA-Z]+)*$', 30],
    ['(x+x+)+y', 30],
    ['^(?:a?){30}a{30}$', 30],
    [`^${'a?'.repeat(30)}${'a'.repeat(30)}$`, 30],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 30],
    ['\\d*\\d*\\d*\\d*x', 100],
    ['^(?=(a+)+$)', 30],
    ['(.*)*', 30],
    ['^(\\(a+\\))*$', 60],
    ['[a-z]+$', 2_000],
    ['a'.repeat(501), 10],
    ['(', 1],
    ['[', 1],
    ['\\', 1],
    ['a{2,1}', 1],
  ])('%s is not run on a text of %i characters', (pattern, length) => {
    expect(canRunPattern(pattern, length)).toBe(false)
  })
})
