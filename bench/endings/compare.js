// npm ci --prefix bench && npm run build && npm run compare: what each client shows for each way an answer can end, which answers look
// complete and are not, and how large each client is. `-- --write` puts the tables into docs/comparison.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { CLIENTS } from './clients.js'
import { ENDINGS } from './endings.js'
import { measureSizes } from './measure-sizes.js'
import { cellOf, outcomeOf, rejections } from './outcome.js'
import { WHOLE } from './wires.js'

process.on('unhandledRejection', () => (rejections.unhandled += 1))
const quiet = () => {}
const log = console.log
// Clients print what they make of broken streams.
for (const name of ['error', 'warn', 'info', 'debug', 'log']) console[name] = quiet

const names = Object.keys(CLIENTS)
const outcomes = new Map()
for (const ending of ENDINGS)
  for (const name of names) outcomes.set(`${ending.name} ${name}`, await outcomeOf(CLIENTS[name], ending))

const table = [
  `| The answer | ${names.join(' | ')} |`,
  `|---|${names.map(() => '---|').join('')}`,
  ...ENDINGS.map(
    ({ name: ending }) =>
      `| ${ending} | ${names.map((name) => cellOf(outcomes.get(`${ending} ${name}`))).join(' | ')} |`,
  ),
]

const alike = names.map((name) => {
  const whole = outcomes.get(`whole ${name}`)
  // A user who stops an answer knows that it is not complete.
  const found = ENDINGS.filter(({ stops }) => !stops).filter(({ name: ending }) => {
    const { status, error, text } = outcomes.get(`${ending} ${name}`)
    return status === whole.status && error === undefined && text !== WHOLE
  })
  const which = found.length > 0 ? ` (${found.map((ending) => ending.name).join('; ')})` : ''
  return `- ${name}: ${found.length}${which}`
})

const sizes = Object.entries(await measureSizes()).map(
  ([name, bytes]) => `| ${name} | ${(bytes / 1000).toFixed(1)} kB |`,
)

const results = {
  endings: table.join('\n'),
  alike: alike.join('\n'),
  sizes: ['| Client without React | gzip |', '|---|---|', ...sizes].join('\n'),
}
for (const text of Object.values(results)) log(`${text}\n`)
if (process.argv.includes('--write')) writeResults(results)
process.exit(0)

/** Puts each table between its marks in the page. */
function writeResults(parts) {
  const page = new URL('../../docs/comparison.md', import.meta.url)
  const text = Object.entries(parts).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end -->)`),
        (_, before, after) => `${before}\n${part}\n\n${after}`,
      ),
    readFileSync(page, 'utf8'),
  )
  writeFileSync(page, text)
}
