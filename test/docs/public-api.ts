import {
  isBlock,
  isClassDeclaration,
  isExpressionWithTypeArguments,
  isFunctionDeclaration,
  isFunctionTypeNode,
  isIdentifier,
  isInterfaceDeclaration,
  isMethodDeclaration,
  isMethodSignatureDeclaration,
  isParameterDeclaration,
  isPropertySignatureDeclaration,
  isTypeAliasDeclaration,
  isTypeReferenceNode,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from 'typescript/unstable/ast'
import { API, type Checker, type Program, type Symbol, SymbolFlags } from 'typescript/unstable/sync'
import { readManifest, ROOT } from '../layers/files.ts'
import { readTsDoc, type TsDoc } from './tsdoc.ts'

/** A name that an entry point exports, with what declares it. */
export interface PublicName {
  readonly name: string
  /** `capstan/react`. */
  readonly entryPoint: string
  readonly declarations: readonly Node[]
}

/** An optional property of a public options or props type. */
export interface OptionalProperty {
  /** `ChatProps.title`; a property of an object inside of another is `CapContext.user.name`. */
  readonly name: string
  readonly node: Node
  readonly doc: TsDoc
  /** File and line, for a failure. */
  readonly place: string
}

export interface PublicApi {
  readonly checker: Checker
  /** The files of src, without those of dependencies. */
  readonly files: readonly SourceFile[]
  readonly names: readonly PublicName[]
  readonly optionalProperties: readonly OptionalProperty[]
  declarationsOf(symbol: Symbol): readonly Node[]
  close(): void
}

/** Types that callers fill in. */
const CALLERS_FILL = /(?:Options|Props|Callbacks|Init|Query)$/

/** Those with other names: objects inside of options, and what an action or a component takes. */
const CALLERS_FILL_TOO = new Set([
  'AnswerLimits',
  'Attachment',
  'CapContext',
  'Environment',
  'MarkdownRenderers',
  'OutgoingMessage',
  'RetryPolicy',
  'Suggestion',
])

/** Of these a type takes over the properties of its first argument. */
const TAKES_OVER = new Set(['Omit', 'Partial', 'Pick', 'Readonly'])

/** What the entry points export, read from src by the compiler. */
export function readPublicApi(): PublicApi {
  const api = new API({ cwd: ROOT })
  const [project] = api.updateSnapshot({ openProjects: [`${ROOT}tsconfig.build.json`] }).getProjects()
  if (project === undefined) throw new Error('The compiler opened no project for tsconfig.build.json.')
  const { checker, program } = project
  const declarationsOf = (symbol: Symbol): readonly Node[] => {
    const target = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return target.declarations.flatMap((handle) =>
      handle.path.startsWith(`${ROOT}src/`) ? (handle.resolve() ?? []) : [],
    )
  }
  const names = entryPoints(program).flatMap(({ entryPoint, file }) => {
    const module = checker.getSymbolAtLocation(file)
    if (module === undefined) throw new Error(`${entryPoint} exports nothing.`)
    return checker
      .getExportsOfModule(module)
      .map((symbol) => ({ name: symbol.name, entryPoint, declarations: declarationsOf(symbol) }))
  })
  return {
    checker,
    files: program
      .getSourceFileNames()
      .filter((name) => name.startsWith(`${ROOT}src/`))
      .flatMap((name) => program.getSourceFile(name) ?? []),
    names,
    optionalProperties: ownersOf(names, checker, declarationsOf).flatMap(propertiesOf),
    declarationsOf,
    close: () => api.close(),
  }
}

function entryPoints(program: Program): { readonly entryPoint: string; readonly file: SourceFile }[] {
  return Object.entries(readManifest().exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const name = /dist\/(.+)\.js$/.exec(target.default)?.[1] ?? ''
    const file = program.getSourceFile(`${ROOT}src/${name}.ts`)
    if (file === undefined) throw new Error(`${path} has no file in src.`)
    return { entryPoint: path.replace('.', 'capstan'), file }
  })
}

/** What declares properties that callers fill in: options and props with what they extend, functions and classes. */
function ownersOf(
  names: readonly PublicName[],
  checker: Checker,
  declarationsOf: (symbol: Symbol) => readonly Node[],
): Node[] {
  const owners = new Set<Node>()
  const add = (node: Node): void => {
    if (owners.has(node)) return
    owners.add(node)
    if (!isInterfaceDeclaration(node)) return
    for (const parent of node.heritageClauses?.flatMap(({ types }) => types) ?? []) {
      const symbol = takenOver(parent)
      for (const declaration of (symbol && declarationsOf(symbol)) ?? [])
        if (isInterfaceDeclaration(declaration) || isTypeAliasDeclaration(declaration)) add(declaration)
    }
  }
  const takenOver = (node: Node): Symbol | undefined => {
    const name = isExpressionWithTypeArguments(node)
      ? node.expression
      : isTypeReferenceNode(node)
        ? node.typeName
        : undefined
    if (name === undefined || !isIdentifier(name)) return undefined
    const [first] = isExpressionWithTypeArguments(node) || isTypeReferenceNode(node) ? (node.typeArguments ?? []) : []
    return TAKES_OVER.has(name.text) && first ? takenOver(first) : checker.getSymbolAtLocation(name)
  }
  const visit = (node: Node, name = nameOf(node)): void => {
    if (visited.has(node)) return
    visited.add(node)
    const isFilled = CALLERS_FILL.test(name) || CALLERS_FILL_TOO.has(nameOf(node))
    const isType = isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)
    if ((isType && isFilled) || isFunctionDeclaration(node) || isClassDeclaration(node)) add(node)
    follow(node)
  }
  /** The types that a declaration names, which TypeScript infers where no entry point exports them. What a function does is not public. */
  const follow = (node: Node): void => {
    if (isBlock(node)) return
    const symbol = isTypeReferenceNode(node) ? checker.getSymbolAtLocation(node.typeName) : undefined
    for (const declaration of (symbol && declarationsOf(symbol)) ?? []) visit(declaration)
    node.forEachChild(follow)
  }
  const visited = new Set<Node>()
  for (const { name, declarations } of names) for (const node of declarations) visit(node, name)
  return [...owners]
}

function propertiesOf(owner: Node): OptionalProperty[] {
  const found: OptionalProperty[] = []
  const file = owner.getSourceFile()
  const walk = (node: Node, path: string): void => {
    // What a function of the caller is given is not filled in by the caller.
    if (isFunctionTypeNode(node)) return
    if (isPropertySignatureDeclaration(node) || isMethodSignatureDeclaration(node)) {
      const name = `${path}.${node.name.getText(file)}`
      if (node.postfixToken !== undefined)
        found.push({ name, node, doc: readTsDoc(commentOf(node)), place: placeOf(node) })
      if (isPropertySignatureDeclaration(node)) node.forEachChild((child) => walk(child, name))
    } else if (isMethodDeclaration(node)) {
      // `[Symbol.hasInstance]` is for the language to call.
      if (!isIdentifier(node.name)) return
      for (const parameter of node.parameters) walk(parameter, `${path}.${node.name.getText(file)}`)
    } else if (isParameterDeclaration(node)) {
      if (node.type) walk(node.type, path)
    } else if (isFunctionDeclaration(node)) {
      for (const parameter of node.parameters) walk(parameter, path)
    } else node.forEachChild((child) => walk(child, path))
  }
  walk(owner, nameOf(owner))
  return found
}

/** The name of a declaration. */
function nameOf(node: Node): string {
  return 'name' in node && isIdentifier(node.name as Node) ? (node.name as Node).getText() : ''
}

/** The last doc comment of a declaration. That of a variable is before its statement. */
export function commentOf(node: Node): string {
  const holder = isVariableDeclaration(node) ? node.parent.parent : node
  return holder.jsDoc?.at(-1)?.getText(node.getSourceFile()) ?? ''
}

/** `src/protocols/cap/hooks/use-cap-chat.ts:12`. */
export function placeOf(node: Node): string {
  const file = node.getSourceFile()
  const line = file.text.slice(0, node.getStart(file)).split('\n').length
  return `${file.fileName.replace(ROOT, '')}:${line}`
}
