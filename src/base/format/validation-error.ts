/** Input that does not conform to its message format. The message is a sentence; the cause is set only where the input is not even JSON. */
export class ValidationError extends Error {}
