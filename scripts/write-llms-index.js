// Writes docs/llms.txt: the guides as the README lists them, for programs that read. `--print` prints it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

function index() {
  const readme = readFileSync(`${ROOT}README.md`, 'utf8')
  const [, about = ''] = /^# .+\n\n(.+)$/m.exec(readme) ?? []
  const [, guides = ''] = /^## Guides\n\n([\s\S]*?)\n\n## /m.exec(readme) ?? []
  // Links of the README start in the folder above this one; what does not lead to a guide is left out.
  const lines = guides
    .split('\n')
    .filter((line) => /^- \[[^\]]*\]\(docs\/(?:reference\/README|[\w-]+)\.md\)/.test(line))
  return `# capstan\n\n> ${about}\n\nThe headings of the guides are the questions they answer. The TypeScript and JavaScript in them is checked or run by tests.\n\n## Guides\n\n${lines.join('\n').replaceAll('](docs/', '](')}\n`
}

if (process.argv.includes('--print')) process.stdout.write(index())
else writeFileSync(`${ROOT}docs/llms.txt`, index())
