// Writes docs/llms-full.txt: every guide that docs/llms.txt lists, one after the other, for programs that read all of it at once. It is
// made with the package and not committed. `--print` prints it.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url))
const read = (path) => readFileSync(DOCS + path, 'utf8')

const index = read('llms.txt')
const pages = [...new Set([...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, path]) => path))]
// The first lines of the index say what the package is.
const about = index.slice(0, index.indexOf('\n## '))
const whole = [about, ...pages.map((path) => `<!-- docs/${path} -->\n\n${read(path).trim()}\n`)].join('\n')

if (process.argv.includes('--print')) process.stdout.write(whole)
else writeFileSync(`${DOCS}llms-full.txt`, whole)
