// The process in which `npm run test:mutants` runs tests: one vitest for all broken guards, so that each costs a fraction of a
// second. It is told which file of the copy has changed and which tests to run, and says the first one that fails. A test that
// goes round in circles keeps its thread busy for ever, so that whoever forked this process must end it.
import { relative } from 'node:path'
import { createVitest } from 'vitest/node'

const FILE_BREAKS = '(a test file breaks)'

const folder = process.cwd()
const vitest = await createVitest('test', {
  watch: false,
  project: ['unit', 'slow', 'unit models'],
  // No reporter: what fails is all that is asked for.
  reporters: [{}],
  bail: 1,
  testTimeout: 120_000,
})

async function firstFailure({ files, name }) {
  if (name === undefined) vitest.resetGlobalTestNamePattern()
  else vitest.setGlobalTestNamePattern(new RegExp(`^${name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`))
  const specifications = await vitest.globTestSpecifications(files)
  const asked = new Set(specifications.map(({ moduleId }) => moduleId))
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const modules = testModules.filter(({ moduleId }) => asked.has(moduleId))
  for (const module of modules)
    for (const test of module.children.allTests('failed'))
      return { failure: test.fullName.replaceAll(' > ', ' '), file: relative(folder, module.moduleId) }
  const broken = modules.find((module) => module.state() === 'failed')
  if (broken !== undefined) return { failure: FILE_BREAKS, file: relative(folder, broken.moduleId) }
  return unhandledErrors.length > 0 ? { failure: FILE_BREAKS } : {}
}

async function filesOfTests({ files }) {
  const { testModules } = await vitest.collect(files)
  return testModules.flatMap((module) =>
    [...module.children.allTests()].map((test) => [
      test.fullName.replaceAll(' > ', ' '),
      relative(folder, module.moduleId),
    ]),
  )
}

async function answer({ changed, list, run }) {
  for (const path of changed) vitest.invalidateFile(path)
  process.send(list === undefined ? await firstFailure(run) : { tests: await filesOfTests(list) })
}

process.on('message', (question) => void answer(question))
process.send({ ready: true })
