import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

describe('the sheet of highlighting', () => {
  const sheet = readFileSync('src/components/highlight/highlight.css', 'utf8')

  it('has a rule for each kind, with tokens for colours, none of which has a size', () => {
    const rules = [...sheet.matchAll(/:where\(\.cs-code \[data-token='(\w+)'\]\) \{ ([^}]*) \}/g)]
    expect(rules.map(([, kind]) => kind)).toEqual(['keyword', 'string', 'number', 'comment', 'name'])
    for (const [, , body] of rules)
      expect(body).toMatch(/^color: var\(--cs-[\w-]+\);( font-weight: var\(--cs-strong\);)?$/)
  })

  it('says nothing in forced colours', () => {
    expect(sheet).toMatch(
      /^@layer capstan\.parts \{[^{}]*@media \(forced-colors: none\) \{(?:[^{}]*\{[^{}]*\})*\s*\}\s*\}\s*$/,
    )
  })
})
