import { isClassDeclaration, isInterfaceDeclaration, isTypeAliasDeclaration, type Node } from 'typescript/unstable/ast'
import { SignatureKind, type Type } from 'typescript/unstable/sync'
import type { PublicApi } from './public-api.ts'

/**
 * Names that a guide may use with each public name: the properties of a type or class, and what a function, component or
 * constructor takes and returns, by the public name.
 */
export function readPublicMembers({ checker, names }: PublicApi): ReadonlyMap<string, ReadonlySet<string>> {
  const members = new Map<string, Set<string>>()

  function addProperties(type: Type | undefined, to: Set<string>): void {
    if (type === undefined) return
    for (const part of type.isUnionType() || type.isIntersectionType() ? type.getTypes() : []) addProperties(part, to)
    const apparent = checker.getApparentType(type) ?? type
    for (const { name } of checker.getPropertiesOfType(apparent)) to.add(name)
  }

  function addSignatures(type: Type | undefined, to: Set<string>): void {
    if (type === undefined) return
    const signatures = [SignatureKind.Call, SignatureKind.Construct].flatMap((kind) => [
      ...checker.getSignaturesOfType(type, kind),
    ])
    for (const signature of signatures) {
      for (const parameter of signature.getParameters()) addProperties(checker.getTypeOfSymbol(parameter), to)
      addProperties(checker.getReturnTypeOfSignature(signature), to)
    }
  }

  function addDeclaration(node: Node, to: Set<string>): void {
    const name = 'name' in node ? checker.getSymbolAtLocation(node.name as Node) : undefined
    if (name === undefined) return
    if (isInterfaceDeclaration(node) || isTypeAliasDeclaration(node) || isClassDeclaration(node))
      addProperties(checker.getDeclaredTypeOfSymbol(name), to)
    if (isInterfaceDeclaration(node) || isTypeAliasDeclaration(node)) return
    const value = checker.getTypeOfSymbol(name)
    addProperties(value, to)
    addSignatures(value, to)
    // Static methods, such as `A2AClient.fromAgentCard`, take options too.
    if (isClassDeclaration(node) && value !== undefined)
      for (const member of checker.getPropertiesOfType(value)) addSignatures(checker.getTypeOfSymbol(member), to)
  }

  for (const { name, declarations } of names) {
    const found = members.get(name) ?? new Set<string>()
    members.set(name, found)
    for (const node of declarations) addDeclaration(node, found)
  }
  return members
}
