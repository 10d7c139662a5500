/** Something that the user can put right. Its message is all they need; a stack would hide it. */
export class UsageError extends Error {
  name = 'UsageError'
}
