import { parseSync } from 'vite'

/** The specifier of an `import()` whose argument is not a literal. */
export const COMPUTED = '(computed)'

/** One place where a file names another, in whatever form. */
export interface ImportUse {
  readonly specifier: string
  readonly typeOnly: boolean
  /** `import()`: loaded when it is reached. */
  readonly dynamic: boolean
  readonly line: number
}

/** A name the file takes from its surroundings: `fetch`, or `Math.random` where it is the member that matters. */
export interface GlobalUse {
  readonly name: string
  /** What is done with it: `typeof name`, `value instanceof name`, or anything else. */
  readonly use: 'typeof' | 'instanceof' | 'value'
  readonly line: number
}

export interface Scan {
  readonly imports: readonly ImportUse[]
  readonly globals: readonly GlobalUse[]
  /** `'use client'` and its like, at the head of the file. */
  readonly directives: readonly string[]
  /** Lines of statements at the top that are neither a directive nor `export { name } from`. */
  readonly notReExports: readonly number[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

/** TypeScript nodes that wrap a value; all others of its nodes are types, where a global is only a word. */
const VALUE_WRAPPERS = ['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSTypeAssertion']

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

function children(node: Node): Node[] {
  const found: Node[] = []
  for (const value of Object.values(node)) {
    if (!Array.isArray(value)) {
      if (isNode(value)) found.push(value)
    } else for (const item of value as unknown[]) if (isNode(item)) found.push(item)
  }
  return found
}

function everyNode(node: Node, visit: (node: Node) => void): void {
  visit(node)
  for (const child of children(node)) everyNode(child, visit)
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' && typeof node['name'] === 'string' ? node['name'] : undefined
}

function textOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined
}

function importIn(node: Node): { specifier: string; typeOnly: boolean } | undefined {
  const specifier = textOf(node['source'])
  if (specifier === undefined)
    return node.type === 'ImportExpression' ? { specifier: COMPUTED, typeOnly: false } : undefined
  switch (node.type) {
    case 'ImportDeclaration':
      return { specifier, typeOnly: node['importKind'] === 'type' }
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return { specifier, typeOnly: node['exportKind'] === 'type' }
    case 'ImportExpression':
      return { specifier, typeOnly: false }
    case 'TSImportType':
      return { specifier, typeOnly: true }
    default:
      return undefined
  }
}

/** Names a pattern brings into being: `{ a, b: [c], ...d }` gives a, c, d. */
function namesBound(pattern: unknown): string[] {
  if (!isNode(pattern)) return []
  const name = nameOf(pattern)
  if (name !== undefined) return [name]
  switch (pattern.type) {
    case 'Property':
      return namesBound(pattern['value'])
    case 'AssignmentPattern':
      return namesBound(pattern['left'])
    case 'RestElement':
      return namesBound(pattern['argument'])
    case 'ObjectPattern':
    case 'ArrayPattern':
      return children(pattern).flatMap(namesBound)
    default:
      return []
  }
}

/** Every name the file declares anywhere: one of these is never taken for a global. */
function namesDeclared(program: Node): Set<string> {
  const names = new Set<string>()
  everyNode(program, (node) => {
    const declared = [
      node.type === 'VariableDeclarator' || /^(Function|Class)/.test(node.type) ? node['id'] : undefined,
    ]
    if (Array.isArray(node['params'])) declared.push(...(node['params'] as unknown[]))
    if (node.type === 'CatchClause') declared.push(node['param'])
    if (/^Import(Default|Namespace)?Specifier$/.test(node.type)) declared.push(node['local'])
    for (const name of declared.flatMap(namesBound)) names.add(name)
  })
  return names
}

/** The children of a node that are values, without member names, keys and types. */
function valueChildren(node: Node): Node[] {
  if (node.type.startsWith('TS'))
    return VALUE_WRAPPERS.includes(node.type) && isNode(node['expression']) ? [node['expression']] : []
  if (/^(Import|Export).*(Declaration|Specifier)$/.test(node.type) && node['source']) return []
  const skipped =
    node.type === 'MemberExpression' && node['computed'] !== true
      ? node['property']
      : /^(Property|PropertyDefinition|MethodDefinition)$/.test(node.type) && node['computed'] !== true
        ? node['key']
        : undefined
  return children(node).filter((child) => child !== skipped)
}

function useOf(node: Node, child: Node): GlobalUse['use'] {
  if (node.type === 'UnaryExpression' && node['operator'] === 'typeof') return 'typeof'
  return node.type === 'BinaryExpression' && node['operator'] === 'instanceof' && child === node['right']
    ? 'instanceof'
    : 'value'
}

function globalsIn(program: Node): (Omit<GlobalUse, 'line'> & { start: number })[] {
  const declared = namesDeclared(program)
  const found: (Omit<GlobalUse, 'line'> & { start: number })[] = []
  const visit = (node: Node, use: GlobalUse['use'] = 'value'): void => {
    const name = nameOf(node)
    if (name !== undefined && !declared.has(name)) found.push({ name, use, start: node.start })
    if (node.type === 'MemberExpression') {
      const owner = nameOf(node['object'])
      const member = nameOf(node['property']) ?? textOf(node['property'])
      if (owner !== undefined && member !== undefined && !declared.has(owner))
        found.push({ name: `${owner}.${member}`, use, start: node.start })
    }
    const callee = nameOf(node['callee'])
    // `new Date(text)` only reads what it is given; without arguments it reads the clock.
    if (
      callee === 'Date' &&
      Array.isArray(node['arguments']) &&
      (node.type === 'CallExpression' || node['arguments'].length === 0)
    ) {
      found.push({ name: 'Date()', use, start: node.start })
    }
    for (const child of valueChildren(node)) visit(child, useOf(node, child))
  }
  visit(program)
  return found
}

/** Gives the number of the line that a place in a text is on. */
function createLineFinder(text: string): (start: number) => number {
  const ends: number[] = []
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) ends.push(end)
  return (start) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? Infinity) < start) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

const scans = new Map<string, Scan>()

/** Reads one source file, TypeScript or JavaScript, with the parser of the build: once, whichever rules ask for it. */
export function scan(path: string, text: string): Scan {
  const key = `${path}\n${text}`
  const known = scans.get(key)
  if (known !== undefined) return known
  const read = readSource(path, text)
  scans.set(key, read)
  return read
}

function readSource(path: string, text: string): Scan {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors.map((error) => error.message).join('; ')}`)
  // The parser's own types name every node kind; a walk over all of them needs only that each has a type and a place.
  const root = program as unknown as Node
  const line = createLineFinder(text)

  const imports: ImportUse[] = []
  everyNode(root, (node) => {
    const found = importIn(node)
    if (found) imports.push({ ...found, dynamic: node.type === 'ImportExpression', line: line(node.start) })
  })
  const statements = children(root)
  const directives = statements.flatMap((node) => (typeof node['directive'] === 'string' ? [node['directive']] : []))
  const notReExports = statements
    .filter(
      (node) => typeof node['directive'] !== 'string' && !(node.type === 'ExportNamedDeclaration' && node['source']),
    )
    .map((node) => line(node.start))
  return {
    imports,
    globals: globalsIn(root).map(({ start, ...use }) => ({ ...use, line: line(start) })),
    directives,
    notReExports,
  }
}
