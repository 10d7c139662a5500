import type { ControlName } from '../../protocols/cap/handle.ts'

/** Says with an answer which commands its run takes; nothing where it takes none. */
export function controlHeaders(names: readonly ControlName[] | undefined): Readonly<Record<string, string>> {
  return names === undefined || names.length === 0 ? {} : { 'cap-control': names.join(', ') }
}
