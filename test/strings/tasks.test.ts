import { describe, expect, it } from 'vitest'
import { arabicTasks } from '../../src/strings/arabic-pack.ts'
import { chineseTasks } from '../../src/strings/chinese-pack.ts'
import { englishTasks } from '../../src/strings/tasks.ts'
import { germanTasks } from '../../src/strings/german-pack.ts'

type Word = string | ((given: never) => string)

/** Every word by its place; what is made of a number or a name, for some of them. */
function sayings(group: object, place = ''): [string, string][] {
  return Object.entries(group).flatMap(([name, word]: [string, Word | object]): [string, string][] => {
    if (typeof word === 'object') return sayings(word, `${place}${name}.`)
    const given = name === 'notCovered' ? [['skills', 'url']] : [1, 2, 3, 11, 1530]
    const said = typeof word === 'string' ? [word] : given.map((value) => word(value as never))
    return [[place + name, said.join('|')]]
  })
}

const ENGLISH = new Map(sayings(englishTasks))
/** The same in German, on purpose: loans that everybody uses. */
const LOANS = ['artifact.version', 'agent.streaming']

describe.each([
  ['German', germanTasks, LOANS],
  ['Arabic', arabicTasks, []],
  ['Chinese', chineseTasks, []],
])('the strings of tasks in %s', (_, strings, loans) => {
  const words = new Map(sayings(strings))

  it('are all there, and not empty', () => {
    expect([...words.keys()]).toEqual([...ENGLISH.keys()])
    expect([...words].filter(([, said]) => said.split('|').some((each) => each.trim() === ''))).toEqual([])
  })

  it('are no English left over', () => {
    const same = [...words].filter(([place, said]) => said === ENGLISH.get(place) && /[a-z]/i.test(said))
    expect(same.map(([place]) => place)).toEqual(loans)
  })

  it('name each state differently', () => {
    expect(new Set(Object.values(strings.status)).size).toBe(10)
  })
})

describe('the strings of tasks in English', () => {
  it('count one and many', () => {
    expect(englishTasks.agent.moreSkills(1)).toBe('Show 1 more skill')
    expect(englishTasks.agent.moreSkills(1530)).toBe('Show 1,530 more skills')
  })
})
