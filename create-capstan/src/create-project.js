import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mergeManifests } from './merge-manifests.js'
import { UsageError } from './usage-error.js'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
const TEMPLATES = join(PACKAGE, 'templates')
/** npm leaves files of these names out of a package, or takes them for its own. */
const STORED_AS = { _gitignore: '.gitignore', '_package.json': 'package.json' }

/**
 * @typedef {object} Choices
 * @property {string} folder where the project goes; made when it is not there
 * @property {string} template a name of TEMPLATES
 * @property {string} agent a name of AGENTS
 * @property {string} [capstan] a version, or the path of a tarball; absent: the version this package was made with
 */

/**
 * Writes a project into an empty folder. Pieces are laid over each other: what all have, the
 * template, what agents around a model have, the agent. Manifests are merged and parts of the README follow each other; any other
 * file is in one piece only.
 *
 * @param {Choices} choices
 * @throws {UsageError} when the folder is not empty. Nothing is ever overwritten.
 */
export async function createProject({ folder, template, agent, capstan }) {
  const root = resolve(folder)
  await assertEmpty(root, folder)
  const pieces = ['shared', template, ...(agent === 'echo' ? [] : ['model']), `agent-${agent}`]
  const files = await compose(pieces)
  const manifest = mergeManifests([
    ...files.get('package.json').map((text) => JSON.parse(text)),
    { name: packageNameOf(root), dependencies: { capstan: await capstanOf(capstan) } },
  ])
  files.set('package.json', [`${JSON.stringify(manifest, null, 2)}\n`])
  files.set('README.md', [`# ${basename(root)}\n\n${files.get('README.md').join('')}`])
  for (const [path, [text]] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text, { flag: 'wx' })
  }
}

async function assertEmpty(root, named) {
  // A new repository is as good as empty.
  const found = (await namesIn(root, named)).filter((name) => name !== '.git')
  if (found.length > 0)
    throw new UsageError(
      `The folder ${named} is not empty (${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}). Choose another one.`,
    )
}

async function namesIn(root, named) {
  try {
    return await readdir(root)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new UsageError(`${named} is a file. Choose another name.`)
    throw error
  }
}

/** The texts of each file, by its path in the project: one for each piece that has it. */
async function compose(pieces) {
  const files = new Map()
  for (const piece of pieces) {
    const entries = await readdir(join(TEMPLATES, piece), { recursive: true, withFileTypes: true })
    for (const entry of entries.filter((found) => found.isFile())) {
      const source = join(entry.parentPath, entry.name)
      const place = relative(join(TEMPLATES, piece), join(entry.parentPath, STORED_AS[entry.name] ?? entry.name))
      files.set(place, [...(files.get(place) ?? []), await readFile(source, 'utf8')])
    }
  }
  return files
}

/** A name that npm takes, made of that of the folder. */
function packageNameOf(root) {
  const name = basename(root)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|-+$/g, '')
  return name === '' ? 'capstan-chat' : name
}

async function capstanOf(wanted) {
  if (wanted === undefined) return `^${JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8')).version}`
  if (!wanted.endsWith('.tgz')) return wanted
  if (!existsSync(wanted)) throw new UsageError(`There is no file ${wanted}.`)
  return `file:${resolve(wanted)}`
}
