'use client'
import { useEffect, useMemo, useState } from 'react'
import type { StandardResult, StandardSchema } from '../../base/standard-schema.ts'

const INVALID: StandardResult<never> = { issues: [{ message: 'The schema threw.' }] }

/**
 * What a schema says of an input. Undefined: it is still checking, or there is nothing to check.
 *
 * @param isComplete whether there is an input to check
 */
export function useCheckedInput<Input>(
  schema: StandardSchema<Input>,
  input: unknown,
  isComplete: boolean,
): StandardResult<Input> | undefined {
  const said = useMemo(() => (isComplete ? check(schema, input) : undefined), [schema, input, isComplete])
  const [later, setLater] = useState<{ readonly of: unknown; readonly result: StandardResult<Input> }>()
  useEffect(() => {
    if (!(said instanceof Promise)) return
    let isCurrent = true
    const settle = (result: StandardResult<Input>): void => {
      if (isCurrent) setLater({ of: said, result })
    }
    said.then(settle, () => settle(INVALID))
    return () => {
      isCurrent = false
    }
  }, [said])
  if (!(said instanceof Promise)) return said
  return later?.of === said ? later.result : undefined
}

function check<Input>(
  schema: StandardSchema<Input>,
  input: unknown,
): StandardResult<Input> | Promise<StandardResult<Input>> {
  try {
    return schema['~standard'].validate(input)
  } catch {
    return INVALID
  }
}
