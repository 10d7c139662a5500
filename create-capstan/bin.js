#!/usr/bin/env node
import { createProject } from './src/create-project.js'
import { askForMissing } from './src/ask-for-missing.js'
import { nextSteps } from './src/next-steps.js'
import { HELP, readArguments } from './src/read-arguments.js'
import { UsageError } from './src/usage-error.js'

try {
  const wanted = readArguments(process.argv.slice(2))
  if (wanted.help) console.log(HELP)
  else {
    const choices = await askForMissing(wanted, process)
    await createProject(choices)
    console.log(nextSteps(choices, process.env['npm_config_user_agent']))
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
