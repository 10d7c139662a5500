import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'
import { exportedNames, referenceIndex, referencePage } from './api-reference.js'

// What each entry point of the package exports: its signatures as a file in `api/`, so that a change of the public face changes it too, and
// a page of the reference in `docs/reference`. Run `npm run build` first. With --check nothing is written: it names what differs and
// leaves with 1.

const ROOT = new URL('..', import.meta.url).pathname

const { exports: targets } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
const entryPoints = Object.values(targets).flatMap((target) =>
  typeof target === 'string' ? [] : [/dist\/(.+)\.d\.ts$/.exec(target.types)[1]],
)

/** Only what a reader of the report can do nothing about is silenced; mistakes of the compiler are not. */
const messages = {
  compilerMessageReporting: { default: { logLevel: 'error' } },
  extractorMessageReporting: { default: { logLevel: 'none' } },
  tsdocMessageReporting: { default: { logLevel: 'none' } },
}
const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  module: 'ESNext',
  moduleResolution: 'bundler',
  jsx: 'react-jsx',
  strict: true,
  skipLibCheck: true,
  types: [],
}

/** The report of an entry point, and API Extractor's model of it, which has the types that its signatures name as well. */
function extract(entryPoint, folder) {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: `${ROOT}dist/${entryPoint}.d.ts`,
      compiler: { overrideTsconfig: { compilerOptions, files: [`dist/${entryPoint}.d.ts`] } },
      apiReport: {
        enabled: true,
        reportFolder: folder,
        reportTempFolder: join(folder, 'temp'),
        reportFileName: entryPoint,
      },
      docModel: {
        enabled: true,
        apiJsonFilePath: join(folder, `${entryPoint}.api.json`),
        includeForgottenExports: true,
      },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages,
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: `${ROOT}package.json`,
  })
  const told = []
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback(message) {
      if (message.logLevel === ExtractorLogLevel.Error) told.push(message.text)
      message.handled = true
    },
  })
  if (!succeeded) throw new Error(`capstan's ${entryPoint}: ${told.join('\n')}`)
  const report = readFileSync(join(folder, `${entryPoint}.api.md`), 'utf8').replace(
    '## API Report File for "capstan"',
    `## What \`${entryPoint}\` exports`,
  )
  const model = JSON.parse(readFileSync(join(folder, `${entryPoint}.api.json`), 'utf8'))
  return { entryPoint, report, model }
}

/** The files as they are in git, by path. */
function written() {
  const files = ['api', 'docs/reference'].flatMap((at) => {
    mkdirSync(ROOT + at, { recursive: true })
    return readdirSync(ROOT + at).map((name) => `${at}/${name}`)
  })
  return new Map(files.filter((path) => path.endsWith('.md')).map((path) => [path, readFileSync(ROOT + path, 'utf8')]))
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-api-'))
try {
  const before = written()
  const extracts = entryPoints.map((entryPoint) => extract(entryPoint, folder))
  const everywhere = new Set(extracts.flatMap(({ model }) => exportedNames(model)))
  const after = new Map([
    ['docs/reference/README.md', referenceIndex(entryPoints)],
    ...extracts.flatMap(({ entryPoint, report, model }) => [
      [`api/${entryPoint}.api.md`, report],
      [`docs/reference/${entryPoint}.md`, referencePage(entryPoint, model, everywhere)],
    ]),
  ])
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  )
  if (!process.argv.includes('--check')) {
    for (const path of before.keys()) if (!after.has(path)) rmSync(ROOT + path)
    for (const [path, text] of after) writeFileSync(ROOT + path, text)
    process.stdout.write(
      changed.length === 0 ? 'No entry point has changed.\n' : `Written again: ${changed.join(', ')}\n`,
    )
  } else if (changed.length > 0) {
    process.stderr.write(
      `The entry points export or say something else than these files: ${changed.join(', ')}. If that is meant, run: npm run build && npm run api\n`,
    )
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
