import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from '../layers/files.ts'
import { EXAMPLE, filesOfExample } from '../layers/recipe.ts'
import { firstColumn, readPage } from './pages.ts'

const scripts = (JSON.parse(readPage('package.json').text) as { readonly scripts: Readonly<Record<string, string>> })
  .scripts

/** The scripts that a page tells people to run. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/\bnpm (?:run )?(test\b(?!:)|(?<=run )[\w:-]+)/g)].map(([, name = '']) => name)
}

describe('CONTRIBUTING.md', () => {
  const page = readPage('CONTRIBUTING.md')

  it('names both commands to begin with', () => {
    expect(page.text).toContain('npm ci && npm run dev')
    expect(page.text).toContain('npm ci && npm test')
  })

  it('has every folder of src on its map', () => {
    const mapped = firstColumn(page, 'Where is what?').flatMap((cell) => /^src\/([\w-]+)/.exec(cell)?.[1] ?? [])
    const folders = readdirSync(`${ROOT}src`, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    )
    expect(folders).toContain('session')
    expect(
      folders.filter((folder) => !mapped.includes(folder)),
      'Give each folder a row under "Where is what?" in CONTRIBUTING.md.',
    ).toEqual([])
  })

  it.each(['CONTRIBUTING.md', 'AGENTS.md', '.github/pull_request_template.md'])(
    'and its like name only commands that are there: %s',
    (path) => {
      const commands = commandsIn(readPage(path).text)
      expect(commands).toContain('lint')
      expect(commands.filter((name) => scripts[name] === undefined)).toEqual([])
    },
  )

  it('names every file of its example of a presentation event', () => {
    const [, section = ''] = page.text.split('## How do I add a presentation event?\n')
    const recipe = section.split('\n## ')[0] ?? ''
    const files = filesOfExample()
    expect(files.length).toBeGreaterThan(15)
    expect(
      files.filter((path) => !recipe.includes(`\`${path}\``)),
      `Name each file of ${EXAMPLE} in "How do I add a presentation event?".`,
    ).toEqual([])
  })

  it('has an example of a presentation event that applies to the repository', () => {
    expect(() => execFileSync('git', ['apply', '--check', EXAMPLE], { cwd: ROOT, stdio: 'pipe' })).not.toThrow()
  })
})
