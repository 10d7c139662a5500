import type { ReactNode } from 'react'
import type { GroupProps } from './pieces.tsx'

// The first items of a list are in it directly, as they do in nearly all lists. Those of a further group have an element around
// them, so that a browser goes through one group and not through thousands of items for each that comes. The roles say what the
// elements no longer do: some browsers know an item by its parent.

export function ItemGroup({ apart, children }: GroupProps & { readonly children: ReactNode }): ReactNode {
  return apart ? <div className="cs-md-items">{children}</div> : children
}

/** @param grouped it has more than one group */
export function listRole(grouped: boolean): 'list' | undefined {
  return grouped ? 'list' : undefined
}

export function itemRole(apart: boolean): 'listitem' | undefined {
  return apart ? 'listitem' : undefined
}
