/** Orders of direction, blanks without width and soft hyphens; joiners and marks of direction only where they hide in a name, for languages need them. */
const HIDDEN = /[\u00AD\u200B\u202A-\u202E\u2060-\u2069\uFEFF]|(?<=[\w$])[\u061C\u200C-\u200F]/g

/** Code as it is read by a machine: characters that nobody sees, and that may make it look like other code, are named. */
export function showHidden(code: string): string {
  return code.replace(HIDDEN, (hidden) => `⟨U+${hidden.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}
