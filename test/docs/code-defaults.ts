import {
  isArrayLiteralExpression,
  isAsExpression,
  isBinaryExpression,
  isBindingElement,
  isIdentifier,
  isNumericLiteral,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isStringLiteral,
  isVariableDeclaration,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { type OptionalProperty, placeOf, type PublicApi } from './public-api.ts'

/** A value that the code takes where an optional property is left out. */
export interface CodeDefault {
  readonly property: OptionalProperty
  /** As the code writes it: `60_000`, `'strict'`, `[]`. A named constant is given by its value. */
  readonly literal: string
  readonly place: string
}

/**
 * The literal defaults in src: of destructuring (`{ timeoutMs = 60_000 }`) and of `options.timeoutMs ?? 60_000`, for the
 * properties of the public options. Defaults that are computed are none.
 */
export function readCodeDefaults({ checker, files, optionalProperties, declarationsOf }: PublicApi): CodeDefault[] {
  const known = new Map(optionalProperties.map((property) => [property.node, property]))
  const names = new Set(optionalProperties.map(({ name }) => name.split('.').at(-1)))
  const found: CodeDefault[] = []

  function literalOf(node: Node): string | undefined {
    if (isStringLiteral(node)) return `'${node.text}'`
    if (isNumericLiteral(node)) return node.getText()
    if (node.kind === SyntaxKind.TrueKeyword) return 'true'
    if (node.kind === SyntaxKind.FalseKeyword) return 'false'
    if (isPrefixUnaryExpression(node)) return isNumericLiteral(node.operand) ? node.getText() : undefined
    if (isArrayLiteralExpression(node)) return node.elements.length === 0 ? '[]' : undefined
    if (isObjectLiteralExpression(node)) return node.properties.length === 0 ? '{}' : undefined
    if (isAsExpression(node)) return literalOf(node.expression)
    if (!isIdentifier(node)) return undefined
    const symbol = checker.getSymbolAtLocation(node)
    const [declaration] = symbol === undefined ? [] : declarationsOf(symbol)
    if (declaration === undefined || !isVariableDeclaration(declaration)) return undefined
    return declaration.initializer && literalOf(declaration.initializer)
  }

  function add(declarations: readonly Node[], value: Node): void {
    const literal = literalOf(value)
    if (literal === undefined) return
    for (const declaration of declarations) {
      const property = known.get(declaration)
      if (property) found.push({ property, literal, place: placeOf(value) })
    }
  }

  function visit(node: Node): void {
    if (isBindingElement(node) && node.initializer && isObjectBindingPattern(node.parent)) {
      const name = (node.propertyName ?? node.name)?.getText() ?? ''
      const source = node.parent.parent
      const given = isParameterDeclaration(source) ? source : isVariableDeclaration(source) ? source.initializer : null
      const type = given && names.has(name) ? checker.getTypeAtLocation(given) : undefined
      const symbol = type && checker.getPropertyOfType(type, name)
      if (symbol) add(declarationsOf(symbol), node.initializer)
    } else if (
      isBinaryExpression(node) &&
      node.operatorToken.kind === SyntaxKind.QuestionQuestionToken &&
      isPropertyAccessExpression(node.left) &&
      names.has(node.left.name.getText())
    ) {
      const symbol = checker.getSymbolAtLocation(node.left.name)
      if (symbol) add(declarationsOf(symbol), node.right)
    }
    node.forEachChild(visit)
  }
  for (const file of files) visit(file)
  return found
}
