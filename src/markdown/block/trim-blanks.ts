/** Without spaces and tabs at its end. A pattern would take quadratic time for blanks inside. */
export function trimBlankEnd(text: string): string {
  let end = text.length
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** Without spaces and tabs before it. */
export function trimBlankStart(text: string): string {
  let from = 0
  while (isBlank(text.charCodeAt(from))) from++
  return text.slice(from)
}

/** Without spaces and tabs around it. */
export function trimBlanks(text: string): string {
  return trimBlankEnd(trimBlankStart(text))
}

/** Whether it is a space or a tab. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9
}
