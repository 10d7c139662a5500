import { isString } from '../../base/guards.ts'
import { isJsonObject } from '../../base/json-object.ts'
import type { JsonPatchOperation } from '../../base/json-patch.ts'
import { ReadFault } from './read-fault.ts'

const OPERATIONS: ReadonlySet<unknown> = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test'])
const isPointer = (value: unknown): value is string => isString(value) && /^(?:$|\/)/.test(value)

/**
 * The operations of a patch (RFC 6902). Those that are not known are left out.
 *
 * @throws ReadFault
 */
export function readPatch(list: readonly unknown[]): readonly JsonPatchOperation[] {
  return list.flatMap((operation) => {
    if (!isJsonObject(operation) || !isString(operation['op'])) throw new ReadFault('an operation of a patch is none')
    const { op, path, from, value } = operation
    if (!OPERATIONS.has(op)) return []
    const isMove = op === 'move' || op === 'copy'
    const hasRest = op === 'remove' || (isMove ? isPointer(from) : Object.hasOwn(operation, 'value'))
    if (!isPointer(path) || !hasRest)
      throw new ReadFault(`an operation ${JSON.stringify(op)} of a patch lacks a member`)
    // A move or a copy has a pointer there.
    return [isMove ? { op, path, from: from as string } : { op, path, value }]
  })
}
