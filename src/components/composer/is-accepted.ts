/** Whether a file fits an `accept` list, as a file dialog would have it: what is dropped or pasted meets no dialog. */
export function isAccepted({ name, type }: File, accept: string | undefined): boolean {
  // Many kinds have no type on the reader's machine: those are the server's to judge.
  if (!accept || type === '') return true
  return accept.split(',').some((entry) => {
    const kind = entry.trim().toLowerCase()
    if (kind.startsWith('.')) return name.toLowerCase().endsWith(kind)
    return kind.endsWith('/*') ? type.startsWith(kind.slice(0, -1)) : type === kind
  })
}
