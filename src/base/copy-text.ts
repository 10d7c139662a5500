/**
 * A copy of a text that was cut out of a longer one. Engines keep the longer text alive for as long as a slice of it lives:
 * hundreds of slices, each of another state of an answer, keep hundreds of answers.
 */
export function copyText(text: string): string {
  // V8 joins the two into its own string before it cuts, so the slice keeps nothing but that.
  return ` ${text}`.slice(1)
}
