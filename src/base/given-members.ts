/** Whether a member that may be anything is there: null is absent. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** The members that are there. */
export function withoutUndefined<Members extends object>(members: Members): Members {
  // Members that are undefined may as well be absent.
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members
}
