import * as z from 'zod/mini'

/** The ids by which requests of one task hang together. */
export interface RequestLineage {
  request_id?: string | undefined
  root_request_id?: string | undefined
  parent_request_id?: string | undefined
}

/** CAP section 3.4, "Lineage": a request with a parent must name the root of the chain. */
// @__NO_SIDE_EFFECTS__
export function unbrokenChain<T extends RequestLineage>() {
  return z.check<T>((context) => {
    const { parent_request_id, root_request_id } = context.value
    if (parent_request_id === undefined || root_request_id !== undefined) return
    context.issues.push({
      code: 'custom',
      path: ['root_request_id'],
      message: 'must name the first request of the chain when parent_request_id is given',
      input: context.value,
    })
  })
}

/** A request without root and parent is the root of its own chain. */
export function withRoot<T extends RequestLineage>(request: T): T {
  if (request.root_request_id !== undefined || request.request_id === undefined) return request
  return { ...request, root_request_id: request.request_id }
}
