// Writes docs/llms.txt: an index of the guides for programs that read them, in the order of the README. `--print` prints it.
// Each guide's line has its first paragraph and the questions it answers, which are its headings.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path) => readFileSync(ROOT + path, 'utf8')

/** Words without their marks, on one line. */
const plain = (text) => text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').trim()

function partsOf(markdown) {
  const text = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '')
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? []
  const [, intro = ''] = /^# .+\n+([^#\n|<-][\s\S]*?)(?:\n\n|\n?$)/m.exec(text) ?? []
  return { title: plain(title), intro: plain(intro), questions: [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => plain(heading)) }
}

function lineOf(path) {
  const { title, intro, questions } = partsOf(read(`docs/${path}`))
  const said = [intro, questions.length > 0 ? `Answers: ${questions.join(' ')}` : ''].filter((part) => part !== '').join(' ')
  return `- [${title}](${path})${said === '' ? '' : `: ${said}`}`
}

function index() {
  const readme = read('README.md')
  const [, guides = ''] = /^## Guides\n([\s\S]*?)^## /m.exec(readme) ?? []
  const pages = [...guides.matchAll(/\]\(docs\/([\w-]+\.md)\)/g)].map(([, path]) => path)
  const decisions = readdirSync(`${ROOT}docs/decisions`).filter((file) => /^\d/.test(file)).toSorted()
  return [
    '# capstan',
    '',
    `> ${partsOf(readme).intro}`,
    '',
    '## Guides',
    '',
    ...pages.map(lineOf),
    '',
    '## Optional',
    '',
    ...decisions.map((file) => `- [${partsOf(read(`docs/decisions/${file}`)).title}](decisions/${file})`),
    '',
  ].join('\n')
}

if (process.argv.includes('--print')) process.stdout.write(index())
else writeFileSync(`${ROOT}docs/llms.txt`, index())
