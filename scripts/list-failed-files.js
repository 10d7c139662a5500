// Prints the files with failed tests of a report by vitest's JSON reporter, one in each row. Leaves with 1 when there are none, or
// more than the number given: node scripts/list-failed-files.js REPORT MOST
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const [, , path, most] = process.argv
const { testResults } = JSON.parse(readFileSync(path, 'utf8'))
const failed = testResults.filter(({ status }) => status === 'failed').map(({ name }) => relative(process.cwd(), name))
const files = [...new Set(failed)]
if (files.length === 0 || files.length > Number(most)) process.exit(1)
console.log(files.join('\n'))
