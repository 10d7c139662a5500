// A page of the reference for one entry point: every export with its signature and what its TSDoc says, made of API Extractor's model.

const MEMBERS = new Set(['Interface', 'Class'])

/** Names that an entry point exports. @param model what API Extractor wrote as `.api.json` */
export function exportedNames(model) {
  return membersOf(model).flatMap((item) => (isExported(item) ? [item.name] : []))
}

/**
 * @param entryPoint `react` for `capstan/react`
 * @param model what API Extractor wrote as `.api.json`, types that are not exported included
 * @param everywhere names that any entry point exports: their own page has them
 */
export function referencePage(entryPoint, model, everywhere) {
  const items = membersOf(model)
  const exported = items.filter(isExported)
  const named = namedTypes(items, everywhere)
  const from = importOf(entryPoint)
  return [
    `# Reference: ${from}`,
    `Every name that \`${from}\` exports: first what runs, then the types. Made of the comments in the source by \`npm run api\`.`,
    ...sectionsOf(exported),
    ...(named.length === 0
      ? []
      : [
          '## Types in these signatures',
          'They are not exported: TypeScript infers them.',
          ...sectionsOf(named, '###'),
        ]),
  ]
    .join('\n\n')
    .concat('\n')
}

function membersOf(model) {
  return model.members[0].members
}

/** API Extractor marks what it found in a signature alone with a tilde. */
function isExported({ canonicalReference }) {
  return !/^[^!]*!~/.test(canonicalReference)
}

/** The types that signatures name and no entry point exports, and those that they name in turn. */
function namedTypes(items, everywhere) {
  const byReference = new Map(items.map((item) => [item.canonicalReference, item]))
  const found = new Set()
  const visit = (item) => {
    for (const part of [item, ...(item.members ?? [])])
      for (const { kind, canonicalReference } of part.excerptTokens ?? []) {
        const type = kind === 'Reference' ? byReference.get(canonicalReference) : undefined
        if (type === undefined || found.has(type) || isExported(type) || !isType(type)) continue
        if (everywhere.has(type.name.replace(/_\d+$/, ''))) continue
        found.add(type)
        visit(type)
      }
  }
  for (const item of items) if (isExported(item)) visit(item)
  return [...found]
}

/** One section for each name. */
function sectionsOf(items, heading = '##') {
  // `faultyServer` and the `FaultyServer` it makes are together: a heading is an address, and addresses know no case.
  const sections = new Map()
  for (const item of items) {
    const key = item.name.toLowerCase()
    sections.set(
      key,
      [...(sections.get(key) ?? []), item].toSorted((one, other) => Number(isType(one)) - Number(isType(other))),
    )
  }
  return [...sections.values()]
    .toSorted(
      ([one], [other]) => Number(isType(one)) - Number(isType(other)) || one.name.localeCompare(other.name, 'en'),
    )
    .map((same) => [`${heading} ${same[0].name}`, ...same.flatMap(sectionOf)].join('\n\n'))
}

/** The page that leads to the others. */
export function referenceIndex(entryPoints) {
  return `# Reference\n\nWhat every entry point of the package exports, with what its comments say.\n\n${entryPoints.map((entryPoint) => `- [\`${importOf(entryPoint)}\`](${entryPoint}.md)`).join('\n')}\n`
}

/** The file of `capstan/server/logs` is `server-logs`, that of `capstan/arcp/runtime` is `arcp-runtime`. */
function importOf(entryPoint) {
  if (entryPoint === 'index') return 'capstan'
  return `capstan/${entryPoint.replace(/^(server|arcp)-/, '$1/')}`
}

function isType({ kind }) {
  return kind === 'Interface' || kind === 'TypeAlias'
}

function sectionOf(item) {
  const { summary, tags, examples } = readComment(item.docComment)
  const members = MEMBERS.has(item.kind) ? (item.members ?? []).filter(({ name }) => !name?.startsWith('#')) : []
  return [
    ...(summary === '' ? [] : [summary]),
    `\`\`\`typescript\n${signature(item)}\n\`\`\``,
    ...(tags.length === 0 ? [] : [tags.map((tag) => `- ${tag}`).join('\n')]),
    ...examples,
    ...(members.length === 0 ? [] : [members.map(lineOf).join('\n')]),
  ]
}

function lineOf(member) {
  const { summary, tags } = readComment(member.docComment)
  // API Extractor's own words, which say nothing.
  const own = summary.startsWith('Constructs a new instance of') ? '' : summary
  const said = [own, ...tags].filter((part) => part !== '').join(' ')
  return `- \`${signature(member).replace(/\s+/g, ' ')}\`${said === '' ? '' : `: ${said}`}`
}

/** A type that is longer tells nobody anything: that of a schema, say. */
const LONGEST_TYPE = 600

function signature({ kind, excerptTokens = [], name = 'constructor' }) {
  const text = excerptTokens
    .map((token) => token.text)
    .join('')
    .replace(/^export (declare )?/, '')
    .replace(/;$/, '')
    .replaceAll(/import\("[^"]+"\)\./g, '')
    .trim()
  if (kind === 'Variable') return text.length > LONGEST_TYPE ? `const ${name}` : `const ${text.replace(/^const /, '')}`
  return text === '' ? name : text
}

/** Summary and block tags of a comment as one paragraph each; examples as they were written, with the language that has them compiled. */
function readComment(comment = '') {
  const text = comment
    .trim()
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .replaceAll(/^[ \t]*\*[ \t]?/gm, '')
    .replaceAll(/\{@link ([^}|]+)(?:\|[^}]*)?\}/g, '`$1`')
  const [summary = '', ...blocks] = text.split(/^\s*@|\s@(?=default |param |returns |throws )/m)
  const isExample = (block) => block.startsWith('example')
  return {
    summary: paragraph(summary),
    tags: blocks
      .filter((block) => !isExample(block))
      .map(tagLine)
      .filter((line) => line !== ''),
    examples: blocks.filter(isExample).map((block) => block.replace('example', '').trim()),
  }
}

function tagLine(block) {
  const [, tag = '', rest = ''] = /^(\w+)\s*([\s\S]*)$/.exec(block) ?? []
  const said = paragraph(rest)
  switch (tag) {
    case 'param': {
      const [, name = '', what = ''] = /^(\S+)\s*-?\s*(.*)$/.exec(said) ?? []
      return `\`${name}\`: ${what}`
    }
    case 'returns':
      return `Returns ${said}`
    case 'throws':
      return `Throws ${said}`
    case 'default':
      return `Default: ${said}.`
    default:
      return said === '' ? '' : `${tag}: ${said}`
  }
}

/** Lines of a comment run on; an example in it stays as it is. */
function paragraph(text) {
  const parts = text
    .split(/(```[\s\S]*?```)/)
    .map((part) =>
      part.startsWith('```')
        ? `\n\n${part.replace(/^```ts/, '```typescript')}\n\n`
        : part.trim().replaceAll(/\s+/g, ' '),
    )
  return parts.join('').trim()
}
