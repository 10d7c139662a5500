// npm run docs:questions [-- --later]: how many of the first questions the docs agent answers from the section that answers them.
// `--later` asks those that were written after the search was tuned.
import { parseArgs } from 'node:util'
import { runnerImport } from 'vite'

const { values } = parseArgs({ options: { later: { type: 'boolean', default: false } } })
const load = async (name) =>
  (
    await runnerImport(new URL(`../test/playground/first-questions/${name}.ts`, import.meta.url).pathname, {
      configFile: false,
    })
  ).module

const { askAll } = await load('ask-all')
const questions = values.later
  ? (await load('later-questions')).LATER_QUESTIONS
  : (await load('questions')).FIRST_QUESTIONS
const asked = await askAll(questions)

for (const { asked: question, hit, pageHit, sources, answeredBy } of asked) {
  if (hit) continue
  console.log(
    `${pageHit ? 'page only' : 'missed'}: ${question}\n  quoted: ${sources.join(', ') || 'nothing'}\n  wanted: ${answeredBy.join(', ')}`,
  )
}
console.log(
  `${asked.filter(({ hit }) => hit).length} of ${asked.length} have a section that answers them among their first two sources; ${asked.filter(({ pageHit }) => pageHit).length} at least its page.`,
)
