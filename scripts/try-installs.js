// npm run build && npm run test:installs: installs the packed package with every package manager on the oldest and the newest
// Node that `engines` allows, and looks whether any of them warns. Fetches those Nodes and package managers from the registry.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** The lowest of each line in `engines`, and the newest there is. */
const NODES = ['20.19.0', '22.13.0', '24.0.0', 'latest']
const MANAGERS = {
  npm: { package: 'npm@11', bin: 'npm/bin/npm-cli.js', args: ['install', '--no-audit', '--no-fund'] },
  'npm --engine-strict': {
    package: 'npm@11',
    bin: 'npm/bin/npm-cli.js',
    args: ['install', '--engine-strict', '--no-audit', '--no-fund'],
  },
  pnpm: { package: 'pnpm@10', bin: 'pnpm/bin/pnpm.cjs', args: ['install', '--config.engine-strict=true'] },
  'Yarn 1': { package: 'yarn@1', bin: 'yarn/bin/yarn.js', args: ['install', '--non-interactive'] },
}
/** What the managers say of the empty app or of themselves, not of the package. */
const NOT_OURS = [
  /No license field/,
  /Unknown (user|env) config/,
  /\[DEP\d+\]/,
  /--trace-deprecation/,
  /new (major|minor|patch) version of npm/i,
  /npm notice/,
  /package-lock\.json found/,
]
const COMPLAINT = /warn|error|deprecat|EBADENGINE|incompatible|unmet/i

const folder = mkdtempSync(join(tmpdir(), 'capstan-installs-'))
let complaints = 0

/** Installs packages for our own use, outside the app. */
function fetchTools(name, packages) {
  const at = join(folder, name)
  mkdirSync(at)
  writeFileSync(join(at, 'package.json'), '{"private":true}')
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages], { cwd: at })
  return join(at, 'node_modules')
}

try {
  const { react } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).devDependencies
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder], {
      cwd: ROOT,
      encoding: 'utf8',
    }),
  )
  const platform = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const managers = fetchTools('managers', [...new Set(Object.values(MANAGERS).map((manager) => manager.package))])
  console.log('| Node | manager | how | what it says |')
  console.log('|---|---|---|---|')
  for (const [index, wanted] of NODES.entries()) {
    const node = join(
      fetchTools(`node-${index}`, [`${platform}@${wanted}`]),
      platform,
      'bin',
      process.platform === 'win32' ? 'node.exe' : 'node',
    )
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    for (const [name, { bin, args, package: from }] of Object.entries(MANAGERS)) {
      const app = join(folder, `app-${index}-${name.replaceAll(/\W+/g, '-')}`)
      mkdirSync(app)
      writeFileSync(
        join(app, 'package.json'),
        JSON.stringify({
          name: 'app',
          version: '1.0.0',
          private: true,
          license: 'MIT',
          dependencies: { capstan: `file:${join(folder, filename)}`, react, 'react-dom': react },
        }),
      )
      const { status, stdout, stderr } = spawnSync(node, [join(managers, bin), ...args], {
        cwd: app,
        encoding: 'utf8',
        env: { ...process.env, PATH: `${join(node, '..')}:${process.env.PATH}` },
      })
      const said = `${stdout}\n${stderr}`
        .split('\n')
        .filter((line) => COMPLAINT.test(line) && !NOT_OURS.some((known) => known.test(line)))
      const loads =
        status === 0 &&
        spawnSync(node, ['--input-type=module', '-e', "await import('capstan')"], {
          cwd: app,
        }).status === 0
      if (status !== 0 || said.length > 0 || !loads) complaints += 1
      console.log(
        `| ${version} | ${from} | ${name} | ${status === 0 ? (loads ? said.join('; ') || 'nothing' : 'it does not load') : `left with ${status}: ${said.join('; ') || `${stdout}${stderr}`.slice(-300)}`} |`,
      )
    }
  }
  console.log(complaints === 0 ? '\nNo install warned.' : `\n${complaints} installs warned or failed.`)
  process.exitCode = complaints === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
