// Prints "passed failed" of a report by vitest's JSON reporter. A file that never came to its tests counts as one failure.
import { readFileSync } from 'node:fs'

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const broken = report.testResults.filter((file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'))
console.log(report.numPassedTests, report.numFailedTests + broken.length)
