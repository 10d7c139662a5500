// node scripts/point-readme.js <address of the repository> <commit> [--print]: makes the pictures and links of README.md absolute.
// The page of a registry has the README and none of the files around it, so the workflow that publishes runs this before it packs.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const README = fileURLToPath(new URL('../README.md', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { print: { type: 'boolean', default: false } },
})
const [repository, commit] = positionals
if (!/^https:\/\/[^/]+\/[\w.-]+\/[\w.-]+$/.test(repository ?? '') || !/^[0-9a-f]{40}$/.test(commit ?? '')) {
  throw new Error(
    'Give the https address of the repository, without a slash at its end, and the 40 digits of a commit.',
  )
}

const CODE = /```[\s\S]*?```|`[^`\n]*`/g
const ABSOLUTE = /^(?:[a-z]+:|#)/i

function pointed(text) {
  const at = (kind, target) => (ABSOLUTE.test(target) ? target : `${repository}/${kind}/${commit}/${target}`)
  return text
    .replaceAll(/\b(src|srcset)="([^"]+)"/g, (_, name, target) => `${name}="${at('raw', target)}"`)
    .replaceAll(
      /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
      (_, mark, words, target) => `${mark}[${words}](${at(mark === '!' ? 'raw' : 'blob', target)})`,
    )
}

// What is in code is shown as it is. A link may have code in its words, so only code without brackets is kept apart.
const text = readFileSync(README, 'utf8')
const kept = [...text.matchAll(CODE)].filter(([code]) => code.startsWith('```') || code.includes('['))
let end = 0
let result = ''
for (const match of kept) {
  result += pointed(text.slice(end, match.index)) + match[0]
  end = match.index + match[0].length
}
result += pointed(text.slice(end))

if (values.print) process.stdout.write(result)
else writeFileSync(README, result)
