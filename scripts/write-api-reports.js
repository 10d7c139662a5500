import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'

// What each door of the package exports, with its signatures, as a file in `api/` that a change of the public face changes too.
// Run `npm run build` first. With --check nothing is written: it names what differs and leaves with 1.

const ROOT = new URL('..', import.meta.url).pathname
const REPORTS = `${ROOT}api/`

const { exports: targets } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
const doors = Object.values(targets).flatMap((target) => (typeof target === 'string' ? [] : [/dist\/(.+)\.d\.ts$/.exec(target.types)[1]]))

/** Only what a reader of the report can do nothing about is silenced; mistakes of the compiler are not. */
const messages = {
  compilerMessageReporting: { default: { logLevel: 'error' } },
  extractorMessageReporting: { default: { logLevel: 'none' } },
  tsdocMessageReporting: { default: { logLevel: 'none' } },
}
const compilerOptions = { target: 'ES2022', lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'], module: 'ESNext', moduleResolution: 'bundler', jsx: 'react-jsx', strict: true, skipLibCheck: true, types: [] }

function reportOf(door, folder) {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: ROOT,
      mainEntryPointFilePath: `${ROOT}dist/${door}.d.ts`,
      compiler: { overrideTsconfig: { compilerOptions, files: [`dist/${door}.d.ts`] } },
      apiReport: { enabled: true, reportFolder: folder, reportTempFolder: join(folder, 'temp'), reportFileName: door },
      docModel: { enabled: false },
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
  if (!succeeded) throw new Error(`capstan's ${door}: ${told.join('\n')}`)
  const text = readFileSync(join(folder, `${door}.api.md`), 'utf8')
  return text.replace('## API Report File for "capstan"', `## What \`${door}\` exports`)
}

/** The reports as they are in git, by door. */
function written() {
  mkdirSync(REPORTS, { recursive: true })
  const files = readdirSync(REPORTS).filter((name) => name.endsWith('.api.md'))
  return new Map(files.map((name) => [name.slice(0, -'.api.md'.length), readFileSync(REPORTS + name, 'utf8')]))
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-api-'))
try {
  const before = written()
  const after = new Map(doors.map((door) => [door, reportOf(door, folder)]))
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((door) => before.get(door) !== after.get(door))
  if (!process.argv.includes('--check')) {
    for (const door of before.keys()) if (!after.has(door)) rmSync(`${REPORTS}${door}.api.md`)
    for (const [door, text] of after) writeFileSync(`${REPORTS}${door}.api.md`, text)
    process.stdout.write(changed.length === 0 ? 'No door has changed.\n' : `Written anew: ${changed.join(', ')}\n`)
  } else if (changed.length > 0) {
    process.stderr.write(`These doors export something else than api/ says: ${changed.join(', ')}. If that is meant, run: npm run build && npm run api\n`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
