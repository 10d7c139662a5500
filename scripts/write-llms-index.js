// Writes docs/llms.txt: the guides as docs/README.md lists them, for programs that read. `--print` prints it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

function index() {
  const readme = readFileSync(`${ROOT}README.md`, 'utf8')
  const [, about = ''] = /^# .+\n\n(.+)$/m.exec(readme) ?? []
  // The package has the guides and the reference, and neither the internals nor the decisions.
  const lines = readFileSync(`${ROOT}docs/README.md`, 'utf8')
    .split('\n')
    .filter((line) => /^- \[[^\]]*\]\((?:reference\/README|[\w-]+)\.md\)/.test(line))
  return `# capstan\n\n> ${about}\n\nThe TypeScript and JavaScript in the guides is checked or run by tests.\n\n## Guides\n\n${lines.join('\n')}\n`
}

if (process.argv.includes('--print')) process.stdout.write(index())
else writeFileSync(`${ROOT}docs/llms.txt`, index())
