function controls(root: ParentNode | null): readonly HTMLElement[] {
  return [...(root?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
}

/** The control of a field, or the group of its controls. */
export function controlOf(root: ParentNode | null, id: string | undefined): HTMLElement | undefined {
  return controls(root).find(({ dataset }) => dataset['field'] === id)
}

/** Of some fields the one that comes first on the page. Undefined: none of them has a control. */
export function firstOf(root: ParentNode | null, ids: readonly string[]): string | undefined {
  return controls(root).find(({ dataset }) => ids.includes(dataset['field'] ?? ''))?.dataset['field']
}

/** Controls with something in them that the browser cannot read, so that their value is empty: `1e`, or half a date. */
export function unreadableControls(
  root: ParentNode,
): readonly { readonly id: string; readonly code: 'number' | 'date' | 'date-time' }[] {
  return controls(root).flatMap((control) => {
    if (!isInput(control) || !control.validity.badInput) return []
    const code = control.type === 'number' ? 'number' : control.type === 'date' ? 'date' : 'date-time'
    return [{ id: control.dataset['field'] ?? '', code }]
  })
}

function isInput(control: HTMLElement): control is HTMLInputElement {
  return control.localName === 'input'
}
