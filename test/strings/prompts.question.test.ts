import { describe, expect, it } from 'vitest'
import { optionNames } from '../../src/components/prompt-body/option-buttons.tsx'
import { arabicPrompts } from '../../src/strings/arabic-pack.ts'
import { chinesePrompts } from '../../src/strings/chinese-pack.ts'
import { englishPrompts } from '../../src/strings/prompts.ts'
import { germanPrompts } from '../../src/strings/german-pack.ts'
import { promptQuestion } from '../../src/strings/prompts.ts'
import { promptOf } from '../components/prompt-body/fake-controls.ts'

const LANGUAGES = [
  ['English', englishPrompts, 'Allow send_mail?'],
  ['German', germanPrompts, 'send_mail erlauben?'],
  ['Chinese', chinesePrompts, '允许 send_mail？'],
  ['Arabic', arabicPrompts, 'هل تسمح باستخدام send_mail؟'],
] as const

describe('an approval without a message', () => {
  it.each(LANGUAGES)('is asked for in the words of the app: %s', (_language, { approval }, question) => {
    const subject = { name: 'send_mail', input: {}, digest: 'd' }
    expect(promptQuestion({ kind: 'approval', message: '', subject }, approval)).toBe(question)
    expect(promptQuestion({ kind: 'approval', message: 'Mail Ann?', subject }, approval)).toBe('Mail Ann?')
    expect(promptQuestion(promptOf({ kind: 'form', message: ' ' }), approval)).toBeUndefined()
  })
})

describe('the name of a button', () => {
  it.each(LANGUAGES)('is shown once, whatever a server calls it in English: %s', (_language, { approval }) => {
    const names = optionNames(
      [
        { id: 'a', label: 'Allow', kind: 'allow-once' },
        { id: 'd', label: 'Deny', kind: 'reject-once' },
      ],
      approval,
    )
    expect(names).toEqual([
      { words: approval.allowOnce, label: undefined },
      { words: approval.reject, label: undefined },
    ])
  })

  it('keeps what an agent adds', () => {
    const [name] = optionNames([{ id: 'd', label: 'Not today', kind: 'reject-once' }], germanPrompts.approval)
    expect(name).toEqual({ words: 'Nicht erlauben', label: 'Not today' })
  })
})
