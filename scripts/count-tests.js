// Prints "passed failed" of a report by vitest's JSON reporter. A file that never came to its tests counts as one failure.
// Standard error gets the name of each failure with the first line of what was wrong: a long log may be cut before its end.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const MOST_CHARACTERS = 300

/** The first line that says something, without colours. */
function firstLineOf(text) {
  const line = stripVTControlCharacters(text ?? '')
    .split('\n')
    .find((part) => part.trim() !== '')
  return (line ?? 'no message').trim().slice(0, MOST_CHARACTERS)
}

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const broken = report.testResults.filter(
  (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
)

for (const file of report.testResults) {
  const path = relative(process.cwd(), file.name)
  if (broken.includes(file)) console.error(`failed: ${path}\n    ${firstLineOf(file.message)}`)
  for (const test of file.assertionResults) {
    if (test.status === 'failed')
      console.error(
        `failed: ${path} > ${[...test.ancestorTitles, test.title].join(' > ')}\n    ${firstLineOf(test.failureMessages[0])}`,
      )
  }
}
console.log(report.numPassedTests, report.numFailedTests + broken.length)
